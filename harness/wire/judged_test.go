package wire_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/wire"
)

// tries is how often everything is tried that is to hold every time. The
// environment variable LOSTRECEIPT_TRIES sets another number; make proof sets 1000.
func tries(t testing.TB, usual int) int {
	t.Helper()
	text := os.Getenv("LOSTRECEIPT_TRIES")
	if text == "" {
		if testing.Short() {
			return max(1, usual/4)
		}
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("LOSTRECEIPT_TRIES=%s is no number of tries", text)
	}
	return n
}

// strain keeps every processor busy until the test is over, if it is asked for.
func strain(t testing.TB) {
	t.Helper()
	if os.Getenv("LOSTRECEIPT_LOAD") != "" {
		burn(t)
	}
}

// A moment is when the reply of a try leaves the gate.
type moment struct {
	name string
	// after is how long after the first byte of the request; patience is the client's time-out.
	after func(patience time.Duration) time.Duration
	// strike, if set, is done to the client: the reply has been written to its socket, or is about to be.
	strike string
	// patience is the client's, and what the limits give an attempt; 0: clientPatience.
	patience time.Duration
}

const clientPatience = 80 * time.Millisecond

// spread is a random time of either side of zero.
func spread(d time.Duration) time.Duration { return rand.N(2*d) - d }

var moments = []moment{
	{name: "at once", after: func(time.Duration) time.Duration { return 0 }, patience: 10 * clientPatience},
	{name: "well before", after: func(p time.Duration) time.Duration { return p / 4 }},
	{name: "just before", after: func(p time.Duration) time.Duration { return p - rand.N(3*time.Millisecond) }},
	{name: "just after", after: func(p time.Duration) time.Duration { return p + rand.N(3*time.Millisecond) }},
	{name: "well after", after: func(p time.Duration) time.Duration { return p + p/2 }},
	{name: "killed before reading", after: func(p time.Duration) time.Duration { return p / 4 }, strike: "before"},
	{name: "killed meanwhile", after: func(p time.Duration) time.Duration { return p / 4 }, strike: "meanwhile"},
	{name: "killed after reading", after: func(p time.Duration) time.Duration { return p / 4 }, strike: "after"},
}

// Whatever a real client does around the moment at which its reply comes, the
// judge never says delivered of a reply that the client did not get, nor
// undelivered of one that it did.
func TestTheJudgeKnowsWhatWasDelivered(t *testing.T) {
	strain(t)
	for _, client := range clients {
		t.Run(client, func(t *testing.T) {
			if os.Getenv("LOSTRECEIPT_TRIES") == "" {
				t.Parallel()
			}
			for _, m := range moments {
				t.Run(m.name, func(t *testing.T) {
					n := tries(t, 8)
					tally := map[string]int{}
					for _, said := range inLanes(n, func(part []int) []string { return judged(t, client, m, part) }) {
						tally[said]++
					}
					t.Logf("%d tries: %v", n, tally)
					judged := 0
					for _, k := range tally {
						judged += k
					}
					if judged < (n+1)/2 { // the others gave up before their requests were out
						t.Errorf("only %d of %d tries came to the wire", judged, n)
					}
				})
			}
		})
	}
}

// inLanes shares n tries out to some that work side by side, a batch at a time.
func inLanes(n int, do func(part []int) []string) (all []string) {
	const lanes, batch = 4, 24
	left := make(chan int, n)
	for i := range n {
		left <- i
	}
	close(left)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range lanes {
		wg.Go(func() {
			for {
				var part []int
				for i := range left {
					if part = append(part, i); len(part) == min(batch, max(1, n/lanes)) {
						break
					}
				}
				if len(part) == 0 {
					return
				}
				said := do(part)
				mu.Lock()
				all = append(all, said...)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return all
}

// judged makes some tries in one history and returns what the judge said of
// each, beside what the client said.
func judged(t *testing.T, client string, m moment, part []int) []string {
	gauge := newGauge()
	log := history.NewLog(nil)
	limits := contract.Defaults()
	limits.AttemptTimeout = cmp.Or(m.patience, clientPatience)
	setup, err := json.Marshal(judge.Setup{Scenario: "deliveries", Limits: limits})
	if err != nil {
		t.Error(err)
		return nil
	}
	log.Append(history.Record{Kind: history.RunStarted, Run: &history.Run{Setup: setup}})
	timing := &timing{log: log, after: m.after, fired: map[string]chan struct{}{}}
	service := newService()
	defer service.close()
	service.reply = func(w http.ResponseWriter, r *http.Request, _ []byte) {
		size, _ := strconv.Atoi(r.URL.Path[strings.LastIndex(r.URL.Path, "-")+1:])
		text := strings.Repeat("r", size)
		if size%2 == 0 {
			w.Header().Set("Content-Length", strconv.Itoa(size))
		}
		_, _ = w.Write([]byte(text))
	}
	g := wire.New(wire.Config{Log: log, Seam: timing, Dialect: paths{}})
	said := map[string]got{} // by operation; no entry: the client said nothing
	sizes := []int{40, 41, 9_000, 70_001}
	var h hand
	var work string
	var proxy *wire.Proxy
	for _, i := range part {
		if h == nil || client == "curl" {
			work = fmt.Sprintf("w-%d", i)
			var err error
			proxy, err = g.Open(context.Background(), wire.Door{Task: "t-1", Work: work, Service: "approval", Upstream: service.addr()})
			if err != nil {
				t.Error(err)
				return nil
			}
			log.Append(history.Record{Kind: history.WorkGiven, Task: "t-1", Work: work, Given: &history.Given{Process: work}})
			if h = hire(t, client); client != "curl" {
				h.call(wanted{URL: service.URL + "/warm-1", Body: "{}", Timeout: patience.Seconds()}) // beside the wire
			}
		}
		size := sizes[i%len(sizes)]
		op := fmt.Sprintf("try%d-%d", i, size)
		answer := make(chan got, 1)
		ended := make(chan struct{})
		fired := timing.expect(op)
		go func() {
			defer close(ended)
			if a, ok := h.call(wanted{URL: proxy.URL() + "/" + op, Body: "{}", Timeout: cmp.Or(m.patience, clientPatience).Seconds()}); ok || len(a.Body) == size {
				a.Status = size
				answer <- a
			}
		}()
		kill := func() {
			log.Append(history.Record{Kind: history.ProcessKilled, Task: "t-1", Work: work, Process: &history.Process{ID: work}})
			h.kill()
		}
		came := false
		select {
		case <-fired:
			came = true
		case <-ended: // it gave up before its request had come
		}
		switch {
		case m.strike == "before" && came:
			h.stop()
			log.Append(history.Record{Kind: history.ProcessPaused, Task: "t-1", Work: work, Process: &history.Process{ID: work}})
			<-g.Idle()
			kill()
		case m.strike == "meanwhile" && came:
			time.Sleep(clientPatience/4 + spread(2*time.Millisecond))
			kill()
		case m.strike == "after":
			<-ended
			time.Sleep(rand.N(8 * time.Millisecond))
			kill()
		}
		<-ended
		select {
		case a := <-answer:
			said[op] = a
		default:
		}
		<-g.Idle()
		if m.strike != "" {
			h.end()
			h = nil
		}
	}
	if h != nil {
		h.end()
	}
	// The clients are gone: their connections have ended, or do so now.
	ended := make(chan struct{}, 1)
	log.Watch(func(r history.Record) {
		if r.Kind == history.ConnEnded {
			select {
			case ended <- struct{}{}:
			default:
			}
		}
	})
	for late := time.After(patience); open(log) > 0; {
		select {
		case <-ended:
			continue
		case <-late:
		}
		break
	}
	log.Append(history.Record{Kind: history.RunNoise, Run: &history.Run{Noise: gauge.end()}})
	if err := g.Close(context.Background()); err != nil {
		t.Error(err)
	}

	var all []string
	records := log.Records()
	deliveries := judge.Deliveries(records)
	for _, r := range records {
		if r.Kind != history.CallSent || !r.Wire.Whole {
			continue
		}
		op := r.Wire.Operation
		a, spoke := said[op]
		read := spoke && a.Error == "" && len(a.Body) == a.Status
		truth := "not read"
		if read {
			truth = "read"
		}
		verdict := deliveries[r.Call]
		all = append(all, truth+": "+verdict)
		if read && verdict == judge.Undelivered || !read && verdict == judge.Delivered {
			t.Errorf("%s %s: the client says %q %d bytes (%v), the judge says %s\n%s", op, r.Call, a.Error, len(a.Body), spoke, verdict, story(records, r))
		}
	}
	return all
}

// open counts the connections whose client has not ended them.
func open(log *history.Log) int {
	n := 0
	for _, r := range log.Records() {
		switch {
		case r.Kind == history.ConnOpened:
			n++
		case r.Kind == history.ConnEnded && r.Wire.By == history.ByClient:
			n--
		}
	}
	return n
}

// story is what was recorded of a call and its connection.
func story(records []history.Record, sent history.Record) string {
	var out strings.Builder
	var noise time.Duration
	for _, r := range records {
		if r.Kind == history.RunNoise {
			noise = r.Run.Noise
		}
		if r.Call == sent.Call || r.Wire != nil && r.Call == "" && r.Wire.Conn == sent.Wire.Conn || r.Process != nil && r.Work == sent.Work ||
			r.Kind == history.CallSent && r.Wire.Conn == sent.Wire.Conn && r.N > sent.N {
			fmt.Fprintf(&out, "  %s %s", r.At, r.Kind)
			if w := r.Wire; w != nil {
				fmt.Fprintf(&out, " first %s size %d whole %t gone %t taken %t by %s how %s", w.First, w.Size, w.Whole, w.Gone, w.Taken, w.By, w.How)
			}
			out.WriteByte('\n')
		}
	}
	fmt.Fprintf(&out, "  noise %s", noise)
	return out.String()
}

// timing is a seam that lets each reply go at its moment.
type timing struct {
	log   *history.Log
	after func(time.Duration) time.Duration

	mu    sync.Mutex
	fired map[string]chan struct{}
	first map[string]time.Duration
}

// expect returns what is closed when the reply to an operation is at the gate.
func (s *timing) expect(op string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fired[op] = make(chan struct{})
	return s.fired[op]
}

func (s *timing) At(_ context.Context, p fault.Point) fault.Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first == nil {
		s.first = map[string]time.Duration{}
	}
	switch p.Phase {
	case fault.Sent:
		s.first[p.Operation] = s.log.Now()
	case fault.Replied:
		release := make(chan struct{})
		time.AfterFunc(s.first[p.Operation]+s.after(clientPatience)-s.log.Now(), func() { close(release) })
		if f := s.fired[p.Operation]; f != nil {
			close(f)
			delete(s.fired, p.Operation)
		}
		return fault.Order{Wait: release}
	default:
	}
	return fault.Order{}
}

// gauge measures the machine's scheduling delay as a run does: by how much a
// goroutine that asked to be woken is woken late.
type gauge struct {
	stop chan struct{}
	done chan time.Duration
}

func newGauge() *gauge {
	g := &gauge{stop: make(chan struct{}), done: make(chan time.Duration, 1)}
	go func() {
		const tick = 2 * time.Millisecond
		var most time.Duration
		timer := time.NewTimer(tick)
		defer timer.Stop()
		for {
			asked := time.Now()
			timer.Reset(tick)
			select {
			case <-g.stop:
				g.done <- most
				return
			case <-timer.C:
			}
			most = max(most, time.Since(asked)-tick)
		}
	}()
	return g
}

func (g *gauge) end() time.Duration {
	close(g.stop)
	return <-g.done
}
