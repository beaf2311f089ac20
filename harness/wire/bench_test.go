package wire_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/wire"
)

// BenchmarkGate compares the gate with a bare embedded Toxiproxy and with no
// proxy at all, in interleaved rounds. A round is as long as a run: 64 calls,
// over a proxy and connections of its own.
// Of the metrics, x-bare is the gate's throughput as a part of the bare proxy's
// (goal: 0.9), the median of the rounds; x-bare-cpu the same by processor time,
// which other processes of the machine disturb less; x-bare-cpu-all that of whole
// rounds, with what it takes to open and to end the connections and with all
// garbage: that of the bare proxy, four buffers of 32 KiB a connection, comes before
// the calls that are timed, that of the gate with them; +us-p50 what the gate adds
// to the median latency of no proxy at all (goal: under 50 for small messages),
// and bare+us-p50 what the bare proxy adds to it.
func BenchmarkGate(b *testing.B) {
	for _, clients := range []int{1, 8} {
		for _, size := range []int{100, 10_000, 100_000} {
			b.Run(fmt.Sprintf("clients=%d/bytes=%d", clients, size), func(b *testing.B) { compare(b, clients, size) })
		}
	}
}

// orders are those in which the lanes are measured.
var orders = [][3]int{{0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {0, 2, 1}, {1, 2, 0}, {2, 1, 0}}

// rounds are measured at a stretch: enough for garbage to be collected several
// times, for in one round it is collected or not, and that decides the round.
const rounds = 8

// lane is one of the ways to the service.
type lane struct {
	open      func() (url string) // a round
	end       func()              // a round
	transport *http.Transport
	took      []float64 // of each round, seconds
	cpu       []float64
	all       []float64 // the same of the whole round
	calls     []time.Duration
}

func compare(b *testing.B, clients, size int) {
	body := bytes.Repeat([]byte("y"), size)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Length", strconv.Itoa(size))
		_, _ = w.Write(body)
	}))
	defer service.Close()
	upstream := service.Listener.Addr().String()

	api := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	var bare *toxiproxy.Proxy
	var g *wire.Gateway
	lanes := []*lane{
		{open: func() string { return service.URL }, end: func() {}},
		{
			open: func() string {
				bare = toxiproxy.NewProxy(api, "bare", "127.0.0.1:0", upstream)
				if err := bare.Start(); err != nil {
					b.Fatal(err)
				}
				return "http://" + bare.Listen
			},
			end: func() { bare.Stop() },
		},
		{
			open: func() string {
				g = wire.New(wire.Config{Log: history.NewLog(nil), Dialect: paths{}, Seam: fault.NewInjector(fault.Config{Log: history.NewLog(nil)})})
				p, err := g.Open(b.Context(), wire.Door{Task: "t-1", Work: "w-1", Service: "approval", Upstream: upstream})
				if err != nil {
					b.Fatal(err)
				}
				return p.URL()
			},
			end: func() { _ = g.Close(b.Context()) },
		},
	}
	for _, l := range lanes {
		l.transport = &http.Transport{MaxIdleConnsPerHost: clients}
		defer l.transport.CloseIdleConnections()
	}
	calls := func(l *lane, url string, n int) {
		client := &http.Client{Transport: l.transport}
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range clients {
			wg.Go(func() {
				var mine []time.Duration
				for range n / clients {
					began := time.Now()
					res, err := client.Post(url+"/pay", "text/plain", bytes.NewReader(body))
					if err != nil {
						b.Error(err)
						return
					}
					_, _ = io.Copy(io.Discard, res.Body)
					res.Body.Close()
					mine = append(mine, time.Since(began))
				}
				mu.Lock()
				defer mu.Unlock()
				l.calls = append(l.calls, mine...)
			})
		}
		wg.Wait()
	}
	for n := 0; b.Loop(); n++ {
		for _, i := range orders[n%len(orders)] {
			l := lanes[i]
			runtime.GC() // each pays for its own garbage, and for no other's
			var took, cpu time.Duration
			start := processorTime()
			for range rounds {
				url := l.open()
				calls(l, url, 2*clients) // connections are open
				l.calls = l.calls[:len(l.calls)-2*clients]
				began, used := time.Now(), processorTime()
				calls(l, url, 64)
				took += time.Since(began)
				cpu += processorTime() - used
				l.transport.CloseIdleConnections()
				l.end()
			}
			l.took, l.cpu, l.all = append(l.took, took.Seconds()), append(l.cpu, cpu.Seconds()), append(l.all, (processorTime()-start).Seconds())
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(middleRatio(lanes[1].took, lanes[2].took), "x-bare")
	b.ReportMetric(middleRatio(lanes[1].cpu, lanes[2].cpu), "x-bare-cpu")
	b.ReportMetric(middleRatio(lanes[1].all, lanes[2].all), "x-bare-cpu-all")
	p50 := func(l *lane) float64 { return float64(middle(l.calls)) / float64(time.Microsecond) }
	b.ReportMetric(p50(lanes[2])-p50(lanes[0]), "+us-p50")
	b.ReportMetric(p50(lanes[1])-p50(lanes[0]), "bare+us-p50")
	b.ReportMetric(p50(lanes[0]), "direct-us-p50")
}

// middleRatio is the median of a[i]/b[i].
func middleRatio(a, b []float64) float64 {
	all := make([]float64, len(a))
	for i := range a {
		all[i] = a[i] / b[i]
	}
	return middle(all)
}

func middle[T cmp.Ordered](all []T) T {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}

// processorTime is what this process has used so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
