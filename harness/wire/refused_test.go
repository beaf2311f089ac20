package wire_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/wire"
)

// shutter is hands that close a door, and tell when it is open again.
type shutter struct {
	fault.Hands
	g              *wire.Gateway
	closed, opened chan struct{}
}

func (s *shutter) Refuse(_ context.Context, task, service string, until <-chan struct{}) error {
	if err := s.g.Refuse(task, service); err != nil {
		return err
	}
	close(s.closed)
	go func() {
		defer close(s.opened)
		<-until
		_ = s.g.Readmit(task, service)
	}()
	return nil
}

// A window in which connections are refused, on a machine whose processors are
// all busy: every dial of the task to the service is refused by the kernel while
// it lasts, and none before and after; a connection that stands, another service
// and another task are not touched.
func TestRefusedPortRefusesEachDialAndNothingElse(t *testing.T) {
	burn(t)
	n, exact := tries(t, 10), 0
	for range n {
		if wrong := refused(t); wrong == "" {
			exact++
		} else {
			t.Error(wrong)
		}
	}
	t.Logf("refuse: %d of %d exact", exact, n)
}

// refused is one such window. It tells what was wrong.
func refused(t *testing.T) string {
	log := history.NewLog(nil)
	hands := &shutter{closed: make(chan struct{}), opened: make(chan struct{})}
	until := fault.Written{Shape: fault.List, Items: []fault.Written{text("approval.query#1 sent")}}
	plan := compiled(t, entry{effect: of("refuse", of("service", "approval", "until", until))}.fault(t, "agent started"))
	seam := fault.NewInjector(fault.Config{Plan: plan, Log: log, Hands: hands})
	s := newService()
	defer s.close()
	g := wire.New(wire.Config{Log: log, Seam: seam, Dialect: paths{}})
	hands.g = g
	open := func(task, service string) string {
		p, err := g.Open(t.Context(), wire.Door{Task: task, Work: "w-of-" + task, Service: service, Upstream: s.addr()})
		if err != nil {
			t.Fatal(err)
		}
		return p.URL()
	}
	approval, purchase, other := open("t-1", "approval"), open("t-1", "purchase"), open("t-2", "approval")
	var mu sync.Mutex
	var wrong []string
	calls := 0
	note := func(url, problem, want string) {
		if problem != want {
			mu.Lock()
			defer mu.Unlock()
			wrong = append(wrong, fmt.Sprintf("a call to %s ended with %q, want %q", url, problem, want))
		}
	}
	fresh := func(url, want string) {
		c := &client{url: url, c: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
		_, problem := c.post(t.Context(), "submit", "x")
		note(url, problem, want)
	}
	// A connection by hand: on a busy machine net/http may close one that it could use again.
	stands, err := net.Dial("tcp", strings.TrimPrefix(approval, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer stands.Close()
	answers := bufio.NewReader(stands)
	var turn sync.Mutex
	live := func(op string) {
		turn.Lock()
		defer turn.Unlock()
		ask(t, stands, op)
		res, err := http.ReadResponse(answers, nil)
		if err == nil {
			_, err = io.Copy(io.Discard, res.Body)
		}
		note(approval+", on a connection that stands", class(err), "")
	}

	live("submit")
	fresh(approval, "")
	calls += 2
	seam.Observe(t.Context(), fault.Point{Event: fault.AgentStarted, Ref: fault.Ref{Task: "t-1", Work: "w-of-t-1"}})
	<-hands.closed
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { fresh(approval, "refused") })
		all.Go(func() { live("submit") })
		all.Go(func() { fresh(purchase, "") })
		all.Go(func() { fresh(other, "") })
		calls += 3
	}
	all.Wait()
	live("query") // its end
	<-hands.opened
	fresh(approval, "")
	calls += 2

	select {
	case <-g.Idle():
	case <-time.After(patience):
		wrong = append(wrong, "calls are still in flight")
	}
	seam.Close()
	records := log.Records() // the close ends connections
	if err := g.Close(context.Background()); err != nil {
		wrong = append(wrong, err.Error())
	}
	return strings.Join(append(wrong, untouched(records, calls)...), "; ")
}

// untouched says what is wrong with the receipts of the window, and with the
// records of the calls that it did not concern.
func untouched(records []history.Record, calls int) (wrong []string) {
	var receipts []string
	kinds := map[history.Kind]int{}
	for _, r := range records {
		switch {
		case r.Fault != nil:
			receipts = append(receipts, strings.TrimPrefix(string(r.Kind), "fault."))
		case r.Call != "" && r.Wire.Whole && !r.Wire.Gone:
			kinds[r.Kind]++
		case r.Kind == history.ConnEnded && r.Wire.By == history.ByHarness:
			wrong = append(wrong, "the harness ended "+r.Wire.Conn)
		}
	}
	if now := strings.Join(receipts, " "); now != "planned armed fired lifted" {
		wrong = append(wrong, "the receipts are "+now)
	}
	for _, k := range []history.Kind{history.CallSent, history.CallForwarded, history.CallReplied, history.CallPassing, history.CallPassed} {
		if kinds[k] != calls {
			wrong = append(wrong, fmt.Sprintf("%d whole %s, and %d calls", kinds[k], k, calls))
		}
	}
	return wrong
}
