package judge_test

import (
	"testing"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Awkward histories of waits, periods and people: when something is over, and
// what is left to do then.
var awkwardLimits = []tale{
	{"a hiccup of the machine blurs what happened about it", func(s *story) *story {
		return s.hiccups(1900, 2150, 250).given(1800, "w-1").checks(2000).submit(2001, "c-1", "k-1").ends(2002, "c-1", "harness rst").checks(2003).submit(2004, "c-2", "k-1")
	}, []string{"never-settled?"}},
	{"a hiccup of the machine blurs nothing that happened long after it", func(s *story) *story {
		return s.hiccups(0, 250, 250).hiccups(1900, 1903, 3).given(1900, "w-1").checks(2000).submit(2001, "c-1", "k-1").ends(2002, "c-1", "harness rst").checks(2003).submit(2004, "c-2", "k-1").
			ends(2005, "c-2", "harness rst").add(2900, history.Record{Kind: history.ProcessExited, Process: &history.Process{ID: "p-w-1", Reason: "stopped"}})
	}, []string{"backoff-flat", "never-settled?"}},
	{"a reply is taken for delivered by the noise of its own time", func(s *story) *story {
		return s.hiccups(2000, 2250, 250).given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").
			reply(3, "c-1", 201, record("a-1", "k-1", "pending")).ends(60, "c-1", "client fin").checks(100).submit(110, "c-2", "k-1").ends(120, "c-2", "harness rst").
			add(2900, history.Record{Kind: history.ProcessExited, Process: &history.Process{ID: "p-w-1", Reason: "stopped"}})
	}, []string{"resubmit-after-acceptance", "never-settled?"}},
	{"17: a wait that outlasts the period lets an unsent request be handed over", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 429, history.Facts{Seq: 5000}).ends(50, "c-1", "client fin").
			escalates(60, "c-2", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Unknowns: []string{}}).result(70, "escalated")
	}, nil},
	{"17: and one in doubt, whether or not it is looked up meanwhile", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(10, "c-1", "harness rst").checks(40).submit(50, "c-2", "k-1").
			reply(51, "c-2", 429, history.Facts{Seq: 5000}).ends(90, "c-2", "client fin").asks(100, "c-3").escalates(200, "c-4", "e-1", briefed(1)).result(210, "escalated")
	}, nil},
	{"17: a wait that a fence or a query was asked for binds no send", func(s *story) *story {
		return s.voids().given(0, "w-1").submit(0, "c-1", "k-1").ends(10, "c-1", "harness rst").
			call(20, "c-2", "approval.void", history.Facts{Key: "k-1"}).reply(21, "c-2", 429, history.Facts{Seq: 500}).ends(30, "c-2", "client fin").
			call(31, "c-3", "approval.query", history.Facts{Key: "k-1"}).reply(32, "c-3", 429, history.Facts{Seq: 500}).ends(36, "c-3", "client fin").
			checks(40).submit(50, "c-4", "k-1")
	}, nil},
	{"17: a wait that is shorter is no reason to hand over", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 429, history.Facts{Seq: 500}).ends(50, "c-1", "client fin").
			escalates(60, "c-2", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Unknowns: []string{}}).result(70, "escalated")
	}, []string{"transient-not-retried"}},
	{"a request that was turned away until the period was over is handed over", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 429, history.Facts{Seq: 2900}).ends(50, "c-1", "client fin").
			escalates(3050, "c-2", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Unknowns: []string{}}).result(3060, "escalated")
	}, nil},
	{"20: attempts that met a closed door are attempts, and no call shows them", func(s *story) *story {
		return s.add(0, history.Record{Kind: history.FaultFired, Fault: &history.Fault{ID: "f-1", Anchor: "agent started", Effect: "refuse: {service: approval, for: 2 verification_period}"}}).
			given(0, "w-1").escalates(200, "c-2", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Unknowns: []string{}}).result(210, "escalated")
	}, nil},
	{"an escalation that is sent again because its reply was lost is not a late one", func(s *story) *story {
		return s.asked().escalation(3010, "c-8", 1).ends(3409, "c-8", "client fin").escalation(3440, "c-9", 1).result(3500, "escalated")
	}, nil},
	{"12: nor is what it says untrue by now", func(s *story) *story {
		return s.asked().escalation(3010, "c-8", 1).ends(3020, "c-8", "harness rst").asks(3030, "q-1").asks(3060, "q-2").escalation(3100, "c-9", 1).result(3200, "escalated")
	}, nil},
	{"12: and it stays lawful when a kill has granted one more attempt meanwhile", func(s *story) *story {
		p := s.setup.Guarantees["approval.submit"]
		p.Query.ByKey = false
		s.setup.Guarantees["approval.submit"] = p
		s.given(0, "w-1")
		for n, name := range []string{"c-1", "c-2", "c-3"} {
			s.checks(float64(n)*100).submit(float64(n)*100+1, name, "k-1").ends(float64(n)*100+2, name, "harness rst")
		}
		return s.escalation(400, "c-8", 0).kill(410).given(450, "w-2").escalation(460, "c-9", 0).result(470, "escalated")
	}, nil},
	{"an escalation of one confirmation lets no other be handed over", func(s *story) *story {
		other := confirmedV1
		other.Confirmation = "c-2"
		s.given(0, "w-1")
		s.records[0].Given.Confirmed = []history.Facts{confirmedV1, other}
		s.submit(1, "c-1", "k-1").reply(2, "c-1", 409, history.Facts{Code: "identifier_conflict"}).ends(40, "c-1", "client fin").escalates(50, "c-2", "e-1", briefed(0))
		send := other
		send.Key = "k-2"
		own := send
		own.Ref, own.Status = "a-2", "pending"
		s.call(60, "c-3", "approval.submit", send).ledger(61, "c-3", history.ApprovalCreated, own).ledger(61, "c-3", history.KeyStored, own).reply(62, "c-3", 201, own).ends(99, "c-3", "client fin")
		b := history.Brief{Task: "t-1", Confirmation: "c-2", Version: 1, Key: "k-2", FirstSentAt: "x", Unknowns: []string{}}
		return s.call(100, "c-4", "desk.escalate", history.Facts{Key: "e-2", Escalation: &b})
	}, []string{"escalation-needless"}},
	{"a fence that is refused an answer has asked what became of the request", func(s *story) *story {
		return s.voids().given(0, "w-1").submit(0, "c-1", "k-1").ends(10, "c-1", "harness rst").call(20, "c-2", "approval.void", history.Facts{Key: "k-1"}).ends(30, "c-2", "harness rst").
			escalates(3010, "c-3", "e-1", briefed(0)).result(3020, "escalated")
	}, nil},
	{"a revision that comes when the task has ended asks for nothing", func(s *story) *story {
		f, two := record("a-1", "k-1", "declined"), version(2)
		return s.accepted().placed(100, history.Event, &f).acked(110, 1).checksAs(200, history.Control{Valid: false}).result(300, "declined").placed(400, history.Revise, &two)
	}, nil},
	{"a notification that was turned away and is no longer permitted is owed to nobody", func(s *story) *story {
		f := missing("approved")
		s.notices().accepted().placed(100, history.Event, &f).acked(110, 1).notifies(300, "c-2").reply(301, "c-2", 429, history.Facts{Seq: 500}).ends(340, "c-2", "client fin")
		return s.bought(350, "c-3").checksAs(410, history.Control{Valid: true, Permissions: []string{"submit"}}).result(420, "completed")
	}, nil},
	{"an escalation that names one version is not about another", func(s *story) *story {
		f, two := record("a-1", "k-1", "declined"), version(2)
		send := two
		send.Key = "k-3"
		s.accepted().placed(100, history.Revise, &two).acked(110, 1).call(300, "c-2", "approval.withdraw", history.Facts{Key: "k-2", Ref: "a-1"}).ends(310, "c-2", "harness rst").
			placed(320, history.Event, &f).acked(330, 2).call(500, "c-3", "approval.submit", send).ends(510, "c-3", "harness rst")
		b := history.Brief{Task: "t-1", Confirmation: "c-1", Version: 2, Key: "k-3", FirstSentAt: "x", Unknowns: []string{"acceptance"}}
		return s.call(600, "c-4", "desk.escalate", history.Facts{Key: "e-1", Escalation: &b})
	}, []string{"verification-abandoned"}},
	{"25: a pause between the record and the first byte makes the agent's clock an early one", func(s *story) *story {
		p := &history.Process{ID: "p-w-1"}
		return s.without(true).given(0, "w-1").add(5, history.Record{Kind: history.ProcessPaused, Process: p}).add(1000, history.Record{Kind: history.ProcessResumed, Process: p}).
			submit(1001, "c-1", "k-1").ends(1010, "c-1", "harness rst").asks(1100, "c-2").escalates(3010, "c-3", "e-1", briefed(1)).result(3020, "escalated")
	}, nil},
	{"a slow dial makes the agent's clock an early one", func(s *story) *story {
		return s.without(true).given(0, "w-1").add(5, dialled("conn-c-1")).
			submit(200, "c-1", "k-1").ends(210, "c-1", "harness rst").claims(230, "pending_verification", "").asks(1100, "c-2").escalates(3010, "c-3", "e-1", briefed(1)).result(3020, "escalated")
	}, nil},
	{"a connection that stood ready for long was not opened by the attempt", func(s *story) *story {
		return s.without(true).given(0, "w-1").add(5, dialled("conn-c-1")).
			submit(500, "c-1", "k-1").ends(510, "c-1", "harness rst").claims(530, "pending_verification", "").asks(1100, "c-2").escalates(3010, "c-3", "e-1", briefed(1)).result(3020, "escalated")
	}, []string{"verification-abandoned"}},
	{"22: an attempt under way at the end of the period is waited for", func(s *story) *story {
		p := s.setup.Guarantees["approval.submit"]
		p.Idempotency.RetentionMS = 4000
		s.setup.Guarantees["approval.submit"] = p
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin").asks(410, "c-2").checks(2980).submit(2990, "c-3", "k-1").
			ends(3389, "c-3", "client fin").escalates(3500, "c-8", "e-1", briefed(1)).result(3510, "escalated")
	}, nil},
	{"19: what the client gave up by itself is no transport resend", func(s *story) *story {
		return s.given(0, "w-1").call(1, "q@conn", "approval.query", history.Facts{Key: "k-0"}).reply(2, "q@conn", 200, listed()).
			submit(10, "c-1@conn", "k-1").ends(300, "c-1@conn", "client fin").checks(301).submit(302, "c-2", "k-1")
	}, []string{"backoff-flat"}},
	{"21: the connection of an attempt whose time was over is closed after the next has begun", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").checks(412).add(414, dialled("conn-c-2")).submit(418, "c-2", "k-1").ends(421, "c-1", "client fin").ends(440, "c-2", "harness rst").
			checks(470).submit(480, "c-3", "k-1")
	}, nil},
	{"21: and between the dial of the next and its request", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").checks(412).add(414, dialled("conn-c-2")).ends(416, "c-1", "client fin").submit(418, "c-2", "k-1").ends(440, "c-2", "harness rst").
			checks(470).submit(480, "c-3", "k-1")
	}, nil},
	{"21: no wait after the time of an attempt is none, however late its connection is closed", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").checks(401).submit(402, "c-2", "k-1").ends(421, "c-1", "client fin")
	}, []string{"backoff-flat"}},
	{"21: nor is one beside an attempt that is under way", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").checks(301).submit(302, "c-2", "k-1").ends(310, "c-1", "client fin")
	}, []string{"backoff-flat"}},
	{"21: a wait that was asked for in a reply that never came does not take the place of the agent's own", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").replied(1, "c-1", 429, history.Facts{Seq: 500}).ends(2, "c-1", "harness rst").checks(3).submit(4, "c-2", "k-1")
	}, []string{"backoff-flat"}},
	{"21: a resend that the application does not see does not lengthen its waits", func(s *story) *story {
		return s.reusedThenReset(false).ends(15, "c-2", "harness rst").checks(27).submit(28, "c-3", "k-1")
	}, nil},
	{"the period may be counted from the first send that can have had an effect", func(s *story) *story {
		return s.without(true).given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 429, history.Facts{Seq: 500}).ends(50, "c-1", "client fin").
			checks(510).submit(520, "c-2", "k-1").ends(530, "c-2", "harness rst").asks(600, "c-3").escalates(3560, "c-8", "e-1", briefed(1)).result(3570, "escalated")
	}, nil},
	{"a purchase that is no longer authorized is handed over, though nothing of it was sent", func(s *story) *story {
		return s.approved().checksAs(300, history.Control{Valid: false}).
			escalates(310, "c-2", "e-1", history.Brief{Key: "k-9", Unknowns: []string{}}).result(320, "escalated")
	}, nil},
	{"a purchase that was turned away without effect was not sent", func(s *story) *story {
		return s.approved().buys(300, "c-2").reply(301, "c-2", 429, history.Facts{Seq: 50}).ends(340, "c-2", "client fin").placed(350, history.Cancel, nil).acked(360, 2).
			escalates(500, "c-3", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Unknowns: []string{}}).result(510, "escalated")
	}, nil},
	{"so is one whose approval was noticed a moment ago", func(s *story) *story {
		f := record("a-1", "k-1", "approved")
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").ends(3, "c-1", "harness rst").placed(100, history.Event, &f).acked(110, 1).
			checksAs(115, history.Control{Valid: false}).escalates(120, "c-2", "e-1", history.Brief{Key: "k-9", Unknowns: []string{}}).result(320, "escalated")
	}, nil},
	{"a withdrawal that is no longer permitted is handed over", func(s *story) *story {
		return s.accepted().placed(100, history.Cancel, nil).acked(110, 1).checksAs(300, history.Control{Valid: true, Cancelled: true, Permissions: []string{"submit"}}).
			escalates(310, "c-2", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Unknowns: []string{}}).result(320, "escalated")
	}, nil},
	{"a withdrawal that nothing would let be verified is handed over", func(s *story) *story {
		delete(s.setup.Guarantees, "approval.withdraw")
		return s.accepted().placed(100, history.Cancel, nil).acked(110, 1).
			escalates(310, "c-2", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Unknowns: []string{}}).result(320, "escalated")
	}, nil},
	{"a withdrawal that came too late is in doubt no longer", func(s *story) *story {
		f := record("a-1", "k-1", "declined")
		return s.accepted().placed(100, history.Cancel, nil).acked(110, 1).call(300, "c-2", "approval.withdraw", history.Facts{Key: "k-2", Ref: "a-1"}).ends(310, "c-2", "harness rst").
			placed(320, history.Event, &f).acked(330, 2).claims(500, "declined", "a-1").result(510, "declined").placed(4000, history.Event, &f)
	}, nil},
	{"a withdrawal is verified in the record of what it withdraws", func(s *story) *story {
		return s.accepted().placed(100, history.Cancel, nil).acked(110, 1).
			call(300, "c-2", "approval.withdraw", history.Facts{Key: "k-2", Ref: "a-1"}).ends(310, "c-2", "harness rst").
			call(320, "c-3", "approval.track", history.Facts{Ref: "a-1"}).reply(321, "c-3", 200, record("a-1", "k-1", "pending")).ends(350, "c-3", "client fin").
			escalates(3310, "c-4", "e-1", history.Brief{
				Key: "k-1", FirstSentAt: "x", Unknowns: []string{"withdrawal"}, Queries: []history.QueryCount{{Operation: "approval.track", Outcome: "found", Count: 1}},
			}).resultNaming(3320, "escalated", "withdrawal")
	}, nil},
	{"a decision is known from the reply that carries it, whether or not it is acknowledged", func(s *story) *story {
		return s.decided("resubmit").offered(3300, 1).checks(3310).resubmits(3320, "c-9", "k-2")
	}, nil},
	{"a decision may come while the period runs, after a 403 was handed over", func(s *story) *story {
		s.given(0, "w-1").submit(0, "c-1", "k-1").ends(10, "c-1", "harness rst").checks(40).submit(50, "c-2", "k-1").
			reply(51, "c-2", 403, history.Facts{NoEffect: true}).ends(90, "c-2", "client fin").escalates(200, "c-4", "e-1", briefed(0)).placed(300, history.Decision, nil)
		s.records[len(s.records)-1].Control.Choice = "resubmit"
		return s.offered(310, 1).checks(315).resubmits(320, "c-9", "k-2")
	}, nil},
	{"what a person decides need not wait for the agent's next turn", func(s *story) *story {
		p := s.setup.Guarantees["approval.submit"]
		p.Query.ByKey = false
		s.setup.Guarantees["approval.submit"] = p
		s.given(0, "w-1")
		for n, name := range []string{"c-1", "c-2", "c-3"} {
			s.checks(float64(n)*100).submit(float64(n)*100+1, name, "k-1").ends(float64(n)*100+2, name, "harness rst")
		}
		s.escalates(204, "c-8", "e-1", briefed(0)).placed(210, history.Decision, nil)
		s.records[len(s.records)-1].Control.Choice = "resubmit"
		return s.offered(211, 1).checks(212).resubmits(213, "c-9", "k-2")
	}, nil},
	{"a decision to wait is none to resubmit", func(s *story) *story {
		return s.decided("wait").offered(3300, 1).checks(3310).resubmits(3320, "c-9", "k-2")
	}, []string{"identifier-changed"}},
	{"one decision to resubmit allows one", func(s *story) *story {
		return s.decided("resubmit").offered(3300, 1).checks(3310).resubmits(3320, "c-9", "k-2").ends(3330, "c-9", "harness rst").checks(3390).resubmits(3400, "c-10", "k-3")
	}, []string{"identifier-changed"}},
	{"16: late evidence after a decision may amend the escalation too", func(s *story) *story {
		late := record("a-1", "k-1", "approved")
		return s.decided("wait").offered(3300, 1).created(3400, "c-1", "a-1").placed(3400, history.Event, &late).acked(3410, 2).
			escalates(3600, "c-9", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Queries: briefed(1).Queries, Unknowns: []string{}}).result(3700, "escalated")
	}, nil},
	{"what is said about one confirmation does not bind another", func(s *story) *story {
		other, newer := confirmedV1, version(2)
		other.Confirmation, newer.Confirmation = "c-2", "c-2"
		s.given(0, "w-1")
		s.records[0].Given.Confirmed = []history.Facts{confirmedV1, other}
		s.submit(1, "c-1", "k-1").ends(2, "c-1", "harness rst").placed(3, history.Revise, &newer).acked(4, 1)
		s.checks(200).checksAs(201, history.Control{Confirmation: "c-2", Version: 2, Valid: true, Permissions: []string{"withdraw"}})
		b := history.Brief{Task: "t-1", Confirmation: "c-2", Version: 2, Unknowns: []string{}}
		return s.submit(210, "c-2", "k-1").call(211, "c-3", "desk.escalate", history.Facts{Key: "e-1", Escalation: &b})
	}, nil},
	{"nor is a look at one a look at the other", func(s *story) *story {
		other := confirmedV1
		other.Confirmation = "c-2"
		s.given(0, "w-1")
		s.records[0].Given.Confirmed = []history.Facts{confirmedV1, other}
		return s.submit(1, "c-1", "k-1").ends(2, "c-1", "harness rst").checksAs(40, history.Control{Confirmation: "c-2", Valid: true}).submit(50, "c-2", "k-1")
	}, []string{"authorization-unchecked"}},
	{"a query after the guard's stop is a call", func(s *story) *story {
		return s.accepted().placed(100, history.Stop, nil).acked(110, 1).call(300, "c-2", "approval.track", history.Facts{Ref: "a-1"})
	}, []string{"own-stop-ignored"}},
	{"cancelled is no result while the purchase is in doubt", func(s *story) *story {
		return s.approved().buys(300, "c-2").ends(310, "c-2", "harness rst").placed(320, history.Cancel, nil).acked(330, 2).result(500, "cancelled")
	}, []string{"receipt-dropped"}},
}

func TestAwkwardHistoriesOfLimits(t *testing.T) { judgeAll(t, awkwardLimits) }

// escalation is a request to the desk that nothing has answered yet, the same bytes each time.
func (s *story) escalation(at float64, name string, queries int) *story {
	b := briefed(queries)
	b.Task, b.Confirmation, b.Version, b.Unknowns = "t-1", "c-1", 1, []string{"acceptance"}
	return s.call(at, name, "desk.escalate", history.Facts{Key: "e-1", Escalation: &b})
}

// dialled is the opening of the connection of a call.
func dialled(conn string) history.Record {
	return history.Record{Kind: history.ConnOpened, Wire: &history.Wire{Conn: conn}}
}
