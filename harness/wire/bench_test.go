package wire_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/wire"
)

// BenchmarkGate compares the gate with a bare embedded Toxiproxy and with no
// proxy at all, in interleaved rounds. Of the metrics, x-bare is the gate's
// throughput as a part of the bare proxy's (goal: 0.9) and +us-p50 what it adds
// to the bare proxy's median latency (goal: under 50).
func BenchmarkGate(b *testing.B) {
	for _, clients := range []int{1, 8} {
		for _, size := range []int{100, 100_000} {
			b.Run(fmt.Sprintf("clients=%d/bytes=%d", clients, size), func(b *testing.B) { compare(b, clients, size) })
		}
	}
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
	bare := toxiproxy.NewProxy(api, "bare", "127.0.0.1:0", upstream)
	if err := api.Collection.Add(bare, true); err != nil {
		b.Fatal(err)
	}
	defer api.Collection.Clear()

	g := wire.New(wire.Config{Log: history.NewLog(nil), Dialect: paths{}})
	defer g.Close(b.Context())
	p, err := g.Open(b.Context(), wire.Door{Task: "t-1", Work: "w-1", Service: "approval", Upstream: upstream})
	if err != nil {
		b.Fatal(err)
	}

	urls := []string{service.URL, "http://" + bare.Listen, p.URL()}
	var took [3]time.Duration
	var each [3][]time.Duration
	var https [3]*http.Client
	for i := range https {
		tr := &http.Transport{MaxIdleConnsPerHost: clients}
		defer tr.CloseIdleConnections()
		https[i] = &http.Client{Transport: tr}
	}
	round := func(i, calls int) []time.Duration {
		var mu sync.Mutex
		var all []time.Duration
		var wg sync.WaitGroup
		for range clients {
			wg.Go(func() {
				var mine []time.Duration
				for range calls / clients {
					began := time.Now()
					res, err := https[i].Post(urls[i]+"/pay", "text/plain", bytes.NewReader(body))
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
				all = append(all, mine...)
			})
		}
		wg.Wait()
		return all
	}
	for i := range urls {
		round(i, 4*clients) // connections are open
	}
	for b.Loop() {
		for i := range urls {
			began := time.Now()
			each[i] = append(each[i], round(i, 64)...)
			took[i] += time.Since(began)
		}
	}
	var p50 [3]float64
	for i := range each {
		slices.Sort(each[i])
		p50[i] = float64(each[i][len(each[i])/2]) / float64(time.Microsecond)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(took[1])/float64(took[2]), "x-bare")
	b.ReportMetric(float64(took[0])/float64(took[2]), "x-direct")
	b.ReportMetric(p50[2]-p50[1], "+us-p50")
	b.ReportMetric(p50[0], "direct-us-p50")
}
