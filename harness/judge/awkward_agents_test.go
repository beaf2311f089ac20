package judge_test

import (
	"testing"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Histories of agents as they are: with clocks of their own, a connection for each
// request, old protocols, several workers, and libraries that count in their own way.
var awkwardAgents = []tale{
	{"a clock that is fast by an hour shows the first send when it was", func(s *story) *story {
		return s.asked().checks(3040).dated(3050, clock(0.5, 3.6e6), clock(3041, 3.6e6))
	}, nil},
	{"a clock that is slow by an hour", func(s *story) *story {
		return s.asked().checks(3040).dated(3050, clock(0.5, -3.6e6), clock(3041, -3.6e6))
	}, nil},
	{"a first send that was an hour ago by a clock that is right", func(s *story) *story {
		return s.asked().checks(3040).dated(3050, clock(0, -3.6e6), clock(3041, 0))
	}, []string{"escalation-untrue"}},
	{"the time of the escalation in place of the first send's", func(s *story) *story {
		return s.asked().checks(3040).dated(3050, clock(3045, 0), clock(3041, 0))
	}, []string{"escalation-untrue"}},
	{"a clock that was read before a slow dial", func(s *story) *story {
		opened := history.Record{Kind: history.ConnOpened, Wire: &history.Wire{Conn: "conn-c-1"}}
		s.without(true).given(0, "w-1").add(5, opened).submit(390, "c-1", "k-1").ends(400, "c-1", "client fin").empty(410, "c-2").
			claims(431, "pending_verification", "")
		return s.checks(3380).dated(3420, clock(1, 0), clock(3381, 0))
	}, nil},
	{"a clock that was read before the harness stopped the process", func(s *story) *story {
		pause := &history.Process{ID: "p-w-1"}
		s.without(true).given(0, "w-1").add(10, history.Record{Kind: history.ProcessPaused, Process: pause}).
			add(2010, history.Record{Kind: history.ProcessResumed, Process: pause}).submit(2020, "c-1", "k-1").ends(2400, "c-1", "client fin").
			empty(2410, "c-2").claims(2431, "pending_verification", "")
		return s.checks(5020).dated(5050, clock(5, 0), clock(5021, 0))
	}, nil},
	{"a time in whole seconds", func(s *story) *story {
		s.without(true).given(0, "w-1").submit(950, "c-1", "k-1").ends(1350, "c-1", "client fin").empty(1360, "c-2").claims(1380, "pending_verification", "")
		return s.checks(3980).dated(4000, "2026-01-01T00:00:00Z", "2026-01-01T00:00:03Z")
	}, nil},
	{"a time in another zone", func(s *story) *story {
		return s.asked().checks(3040).dated(3050, "2026-01-01T02:00:00.001+02:00", clock(3041, 0))
	}, nil},
	{"a first attempt that was refused is counted as the first send", func(s *story) *story {
		refused := &history.Fault{ID: "f-1", Anchor: "approval.submit#1 sent", Effect: "refuse"}
		s.without(true).given(0, "w-1").add(1, history.Record{Kind: history.FaultPlanned, Fault: refused}).
			add(2, history.Record{Kind: history.FaultFired, Fault: refused}).submit(1500, "c-1", "k-1").ends(1900, "c-1", "client fin").
			empty(1910, "c-2").claims(1931, "pending_verification", "")
		return s.checks(4500).dated(4510, clock(1, 0), clock(4501, 0))
	}, nil},
	{"attempts of which nothing left the client are counted among the queries", func(s *story) *story {
		return s.asked().dials(600, "d-1").dials(700, "d-2").escalates(3050, "c-8", "e-1", briefed(4)).result(3060, "escalated")
	}, nil},
	{"so are those that nothing shows where connections were refused", func(s *story) *story {
		refused := &history.Fault{ID: "f-1", Anchor: "approval.query#2 sent", Effect: "refuse"}
		return s.asked().add(500, history.Record{Kind: history.FaultPlanned, Fault: refused}).add(501, history.Record{Kind: history.FaultFired, Fault: refused}).
			escalates(3050, "c-8", "e-1", briefed(9)).result(3060, "escalated")
	}, nil},
	{"more queries than there were attempts of any kind", func(s *story) *story {
		return s.asked().dials(600, "d-1").escalates(3050, "c-8", "e-1", briefed(4)).result(3060, "escalated")
	}, []string{"escalation-untrue"}},
	{"two parts of one matter are handed over under two identifiers, a connection for each", func(s *story) *story {
		bought := history.Brief{Key: "k-9", FirstSentAt: clock(300, 0), Unknowns: []string{"purchase"}}
		return s.approved().buys(300, "c-9").ends(301, "c-9", "harness rst").claims(310, "tracking", "a-1").
			call(400, "q-1", "purchase.query", history.Facts{Key: "k-9"}).reply(401, "q-1", 200, listed()).ends(402, "q-1", "client fin").
			escalates(3320, "c-7", "e-1", bought).ends(3321, "c-7", "client fin").
			escalates(3330, "c-8", "e-2", history.Brief{Key: "k-1", FirstSentAt: "x", Unknowns: []string{"purchase"}}).ends(3331, "c-8", "client fin").
			resultNaming(3340, "escalated", "purchase")
	}, []string{"escalation-repeated"}},
	{"a client of HTTP/1.0 reads until the service ends the connection", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(3, "c-1", 201, record("a-1", "k-1", "pending")).
			ends(3, "c-1", "service fin").ends(9, "c-1", "client fin").claims(10, "tracking", "a-1").look(300, "c-2", "pending")
	}, nil},
	{"and knows what it has read", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(3, "c-1", 201, record("a-1", "k-1", "pending")).
			ends(3, "c-1", "service fin").ends(9, "c-1", "client fin").checks(99).submit(100, "c-2", "k-1")
	}, []string{"resubmit-after-acceptance"}},
	{"a client of HTTP/1.0 that gave up while the service ended the connection may have read nothing", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(399, "c-1", 201, record("a-1", "k-1", "pending")).
			ends(399, "c-1", "service fin").ends(400, "c-1", "client fin").checks(499).submit(500, "c-2", "k-1").
			reply(501, "c-2", 201, record("a-1", "k-1", "pending")).ends(520, "c-2", "client fin").claims(521, "tracking", "a-1")
	}, nil},
	{"a claim about a purchase whose request the gate noticed only afterwards", func(s *story) *story {
		late := history.Facts{Key: "k-9", Approval: "a-1", Content: "content-1"}
		s.approved().hiccups(250, 450, 150).claims(350, "pending_verification", "a-1").call(420, "c-9", "purchase.buy", late)
		s.records[len(s.records)-1].Wire.First = instant(340)
		return s
	}, nil},
	{"a claim of pending with no purchase in sight goes back behind the approval", func(s *story) *story {
		return s.approved().claims(350, "pending_verification", "a-1").look(420, "c-3", "approved")
	}, []string{"state-regressed"}},
	{"of two records that the network made of one request, one is declined, and the agent goes by the other", func(s *story) *story {
		s.without(true).receiptRead().claims(20, "tracking", "a-1")
		again := *s.calls["c-1"].Wire
		again.Copy = true
		f := *s.calls["c-1"].Facts
		twin := record("a-2", "k-1", "pending")
		return s.add(30, history.Record{Kind: history.CallSent, Call: "c-1x", Wire: &again, Facts: &f}).ledger(31, "c-1x", history.ApprovalCreated, twin).
			call(100, "c-2", "approval.query", history.Facts{Key: "k-1"}).reply(101, "c-2", 200, listed(record("a-1", "k-1", "declined"), twin)).
			ends(130, "c-2", "client fin").claims(140, "tracking", "a-2")
	}, []string{"duplicate-consequence (scenario)"}},
	{"claims of two workers come in the order of neither", func(s *story) *story {
		f := record("a-1", "k-1", "approved")
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").ends(3, "c-1", "harness rst").claims(5, "pending_verification", "").
			given(20, "w-2").as("w-1").placed(100, history.Event, &f).acked(110, 1).claims(300, "tracking", "a-1").
			as("w-2").claims(310, "pending_verification", "").as("w-1").bought(400, "c-9").claims(480, "completed", "a-1").
			as("w-2").claims(490, "pending_verification", "").as("w-1").result(500, "completed")
	}, nil},
	{"an event that comes twice, and late, is one event", func(s *story) *story {
		f := record("a-1", "k-1", "approved")
		f.Seq = 2
		return s.receiptRead().claims(20, "tracking", "a-1").placed(100, history.Event, &f).acked(110, 1).bought(300, "c-9").
			placed(400, history.Event, &f).acked(410, 2).claims(420, "completed", "a-1").result(430, "completed").placed(500, history.Event, &f).acked(510, 3)
	}, nil},
	{"a notification that arrives late settles the one that was sent again", func(s *story) *story {
		f, sent := notified("failed"), notified("sent")
		return s.notices().receiptRead().claims(20, "tracking", "a-1").placed(100, history.Event, &f).acked(110, 1).
			notify(300, "n-1", "k-n").ends(301, "n-1", "harness rst").placed(320, history.Event, &sent).acked(330, 2).
			bought(500, "c-9").claims(600, "completed", "a-1").result(610, "completed")
	}, nil},
	{"a reply that the network carried twice answers one attempt", func(s *story) *story {
		s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(3, "c-1", 201, record("a-1", "k-1", "pending"))
		copied := *s.calls["c-1"].Wire
		copied.Copy = true
		f := *s.calls["c-1"].Facts
		return s.add(5, history.Record{Kind: history.CallSent, Call: "c-1x", Wire: &copied, Facts: &f}).
			add(6, history.Record{Kind: history.CallReplied, Call: "c-1x", Wire: &copied, Facts: &f}).
			ends(20, "c-1", "client fin").claims(21, "tracking", "a-1").look(300, "c-2", "pending")
	}, nil},
	{"a result that is posted twice, because its reply was lost with the process, is one", func(s *story) *story {
		return s.asked().escalates(3050, "c-8", "e-1", briefed(1)).result(3060, "escalated").kill(3061).given(3100, "w-2").result(3110, "escalated")
	}, nil},
}

func TestHistoriesOfAgentsAsTheyAre(t *testing.T) { judgeAll(t, awkwardAgents) }

// dated hands the unknown submission over, with the agent's own times.
func (s *story) dated(at float64, first, checked string) *story {
	b := briefed(1)
	b.FirstSentAt, b.Checked = first, checked
	return s.escalates(at, "c-8", "e-1", b).result(at+10, "escalated")
}

// dials opens a connection to the service that ends without a request.
func (s *story) dials(at float64, conn string) *story {
	w := func(by, how string) *history.Wire {
		return &history.Wire{Service: "approval", Conn: conn, By: by, How: how}
	}
	return s.add(at, history.Record{Kind: history.ConnOpened, Wire: w("", "")}).
		add(at+50, history.Record{Kind: history.ConnEnded, Wire: w("client", "fin")})
}
