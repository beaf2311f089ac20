package judge_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// flood is a hostile history: step n of many like it.
type flood struct {
	name string
	step func(s *story, n int)
}

// floods are what an agent, or a run gone wrong, can do without end.
var floods = []flood{
	{"claims of a record that nobody knows", func(s *story, n int) { s.claims(ms(n), "tracking", fmt.Sprint("a-", n)) }},
	{"claims of failure", func(s *story, n int) { s.claims(ms(n), "failed", "") }},
	{"results", func(s *story, n int) { s.result(ms(n), "escalated") }},
	{"claims about nothing", func(s *story, n int) {
		s.add(ms(n), history.Record{Kind: history.ControlClaim, Control: &history.Control{Confirmation: fmt.Sprint("c-", n), Version: n, State: "completed"}})
	}},
	{"looks at confirmations", func(s *story, n int) {
		s.checksAs(ms(n), history.Control{Valid: n%2 == 0, Confirmation: fmt.Sprint("c-", n%1000), Version: n})
	}},
	{"replays", func(s *story, n int) { s.submit(ms(n), fmt.Sprint("r-", n), "k-1") }},
	{"replays that are answered", func(s *story, n int) {
		name := fmt.Sprint("r-", n)
		s.submit(ms(n), name, "k-1").reply(ms(n), name, []int{201, 202, 422, 429, 403, 502}[n%6], record("a-1", "k-1", "pending"))
	}},
	{"sends under new identifiers", func(s *story, n int) { s.submit(ms(n), fmt.Sprint("r-", n), fmt.Sprint("k-", n)) }},
	{"sends without an identifier", func(s *story, n int) { s.submit(ms(n), fmt.Sprint("r-", n), "") }},
	{"fences, each with a successor", func(s *story, n int) {
		s.call(ms(n), fmt.Sprint("v-", n), "approval.void", history.Facts{Key: fmt.Sprint("k-", n)}).
			reply(ms(n), fmt.Sprint("v-", n), 200, history.Facts{Status: "void", Final: true}).resubmits(ms(n), fmt.Sprint("r-", n), fmt.Sprint("k-", n+1))
	}},
	{"purchases", func(s *story, n int) {
		s.call(ms(n), fmt.Sprint("b-", n), "purchase.buy", history.Facts{Key: fmt.Sprint("b-", n), Approval: fmt.Sprint("a-", n), Content: "content-1"})
	}},
	{"queries", func(s *story, n int) { s.asks(ms(n), fmt.Sprint("q-", n)) }},
	{"queries that name a record, and claims of it", func(s *story, n int) {
		name := fmt.Sprint("q-", n)
		s.call(ms(n), name, "approval.query", history.Facts{Key: "k-1"}).reply(ms(n), name, 200, listed(record("a-1", "k-1", "pending"))).claims(ms(n), "tracking", "a-1")
	}},
	{"escalations under one identifier", func(s *story, n int) { s.escalates(ms(n), fmt.Sprint("e-", n), "e-1", briefed(n)) }},
	{"escalations under many", func(s *story, n int) { s.escalates(ms(n), fmt.Sprint("e-", n), fmt.Sprint("e-", n), briefed(n)) }},
	{"events, each acknowledged", func(s *story, n int) {
		f := record("a-1", "k-1", "pending")
		s.placed(ms(n), history.Event, &f).acked(ms(n), n+1)
	}},
	{"events, acknowledged by every worker", func(s *story, n int) {
		f := record("a-1", "k-1", "approved")
		s.placed(ms(n), history.Event, &f).given(ms(n), fmt.Sprint("w-", n)).offered(ms(n), n+1).acked(ms(n), n+1)
	}},
	{"cancels, stops, decisions", func(s *story, n int) {
		s.placed(ms(n), []string{history.Cancel, history.Stop, history.Decision}[n%3], nil).acked(ms(n), n+1).submit(ms(n), fmt.Sprint("r-", n), "k-1")
	}},
	{"everything unseen, and replays", func(s *story, n int) {
		if n == 0 {
			two := version(2)
			s.placed(0, history.Cancel, nil).placed(0, history.Revise, &two).placed(0, history.Stop, nil).placed(0, history.Decision, nil).offered(0, 4)
		}
		s.checksAs(0, history.Control{Valid: n%2 == 0}).submit(0, fmt.Sprint("r-", n), "k-1")
	}},
	{"revisions", func(s *story, n int) {
		f := version(n + 2)
		s.placed(ms(n), history.Revise, &f)
	}},
	{"revisions, each submitted", func(s *story, n int) {
		f := version(n + 2)
		send := f
		send.Key = fmt.Sprint("k-", n)
		s.placed(ms(n), history.Revise, &f).call(ms(n), fmt.Sprint("r-", n), "approval.submit", send)
	}},
	{"works that are never ended", func(s *story, n int) {
		s.given(ms(n), fmt.Sprint("w-", n)).submit(ms(n), fmt.Sprint("r-", n), "k-1")
	}},
	{"restarts", func(s *story, n int) {
		s.given(ms(n), fmt.Sprint("w-", n)).submit(ms(n), fmt.Sprint("r-", n), "k-1").kill(ms(n))
	}},
	{"one process with many works, paused again and again", func(s *story, n int) {
		s.given(ms(n), fmt.Sprint("w-", n))
		s.records[len(s.records)-1].Given.Process = "p"
		for _, kind := range []history.Kind{history.ProcessPaused, history.ProcessResumed, history.ProcessKilled} {
			s.add(ms(n), history.Record{Kind: kind, Process: &history.Process{ID: "p"}})
		}
	}},
	{"requests on one connection", func(s *story, n int) {
		s.call(ms(n), fmt.Sprintf("q-%d@conn", n), "approval.query", history.Facts{Key: "k-1"})
	}},
	{"a connection that ends again and again", func(s *story, n int) {
		s.call(ms(n), fmt.Sprintf("q-%d@conn", n), "approval.query", history.Facts{Key: "k-1"}).ends(ms(n), fmt.Sprintf("q-%d@conn", n), "client fin")
	}},
	{"rows of a ledger", func(s *story, n int) {
		s.ledger(ms(n), "c-1", history.ApprovalCreated, record(fmt.Sprint("a-", n), "k-1", "pending"))
	}},
	{"notifications sent", func(s *story, n int) {
		if n == 0 {
			s.created(0, "c-1", "a-1")
		}
		s.ledger(ms(n), "c-1", history.NotificationSent, record("a-1", "k-1", "approved"))
	}},
	{"calls of a tool that a question asks for once", func(s *story, n int) {
		if n == 0 {
			s.kill(0.02).question(0.02, "w-q").turn(0.02, "c1 search_kb refunds")
		}
		s.use(ms(n), fmt.Sprint("t-", n), "search_kb refunds").reply(ms(n), fmt.Sprint("t-", n), []int{200, 503, 429, 403}[n%4], history.Facts{})
	}},
	{"calls of tools that nothing asks for", func(s *story, n int) {
		if n == 0 {
			s.kill(0.02).question(0.02, "w-q")
		}
		s.use(ms(n), fmt.Sprint("t-", n), fmt.Sprintf("%s q%d", []string{"kb_cache", "search_web", "issue_refund"}[n%3], n))
	}},
	{"turns of a model, each with a call", func(s *story, n int) {
		if n == 0 {
			s.kill(0.02).question(0.02, "w-q")
		}
		id := fmt.Sprint("c", n)
		s.turn(ms(n), id+" search_kb "+id)
		s.uses(ms(n), "t-"+id, "search_kb "+id, 503).fails(id, "ServerError", true, 1)
		s.chat.messages = s.chat.messages[max(0, len(s.chat.messages)-16):]
	}},
	{"a turn of a model that is asked for again and again", func(s *story, n int) {
		if n == 0 {
			s.kill(0.02).question(0.02, "w-q")
		}
		s.ask(ms(n), fmt.Sprint("m-", n)).reply(ms(n), fmt.Sprint("m-", n), 200, answered(spoken(fmt.Sprint("c", n, " search_kb q"), fmt.Sprint("d", n, " kb_cache q"))))
	}},
	{"escalations of a question", func(s *story, n int) {
		if n == 0 {
			s.kill(0.02).question(0.02, "w-q")
		}
		s.refers(ms(n), fmt.Sprint("d-", n), fmt.Sprint("e-", n), nil)
	}},
	{"faults", func(s *story, n int) {
		s.add(ms(n), history.Record{Kind: history.FaultFired, Fault: &history.Fault{ID: fmt.Sprint("f-", n), Anchor: fmt.Sprint("x ", n), Effect: fmt.Sprint("refuse", n)}})
	}},
}

func ms(n int) float64 { return float64(n+2) / 100 }

// flooded is a history of at least n records, most of them the flood's.
func flooded(t testing.TB, f flood, n int) []history.Record {
	s := tell(nil).given(0, "w-1").submit(0.01, "c-1", "k-1")
	for step := 0; len(s.records) < n; step++ {
		f.step(s, step)
	}
	return s.told(t)
}

// TestFloodsAreJudgedInLinearTime compares the processor's time for ten times
// the records: linear is ten times, quadratic a hundred.
func TestFloodsAreJudgedInLinearTime(t *testing.T) {
	contractTable := table(t)
	cost := func(f flood, n int) time.Duration {
		records := flooded(t, f, n)
		before := processor(t)
		if _, err := judge.Judge(contractTable, records); err != nil {
			t.Fatal(err)
		}
		return processor(t) - before
	}
	for _, f := range floods {
		t.Run(f.name, func(t *testing.T) {
			const few, many = 3_000, 30_000
			small, large := cost(f, few), cost(f, many)
			t.Logf("%s for %d records, %s for %d", small, few, large, many)
			if large > 40*max(small, 5*time.Millisecond) {
				t.Errorf("ten times the records took %.0f times as long: %s, %s", float64(large)/float64(small), small, large)
			}
		})
	}
}

// processor is the processor's time that this process has used.
func processor(t testing.TB) time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		t.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
