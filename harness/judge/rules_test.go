package judge_test

import (
	"testing"

	"github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// accepted is a submission that was accepted and read.
func (s *story) accepted() *story {
	return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").
		reply(3, "c-1", 201, record("a-1", "k-1", "pending")).ends(60, "c-1", "client fin").claims(61, "tracking", "a-1")
}

// approved is a submission that was approved, as an event told.
func (s *story) approved() *story {
	f := record("a-1", "k-1", "approved")
	return s.accepted().placed(100, history.Event, &f).acked(110, 1)
}

func (s *story) buys(at float64, name string) *story {
	return s.call(at, name, "purchase.buy", history.Facts{Key: "k-9", Approval: "a-1", Content: "content-1"})
}

func (s *story) bought(at float64, name string) *story {
	f := history.Facts{Key: "k-9", Approval: "a-1", Content: "content-1", Ref: "p-1", Status: "done"}
	return s.buys(at, name).ledger(at, name, history.PurchaseDone, f).ledger(at, name, history.KeyStored, f).
		reply(at, name, 201, f).ends(at+50, name, "client fin")
}

// approvedUnnotified is a submission that was approved, and its notification failed.
func (s *story) approvedUnnotified() *story {
	f := notified("failed")
	s.setup.Guarantees["approval.notify"] = s.setup.Guarantees["approval.withdraw"]
	return s.accepted().placed(100, history.Event, &f).acked(110, 1)
}

// notified is the record of version 1 in its approval, with what became of its notification.
func notified(how string) history.Facts {
	f := record("a-1", "k-1", "approved")
	f.Notification, f.Seq = how, 2
	if how == "sent" {
		f.Seq = 3
	}
	return f
}

// scoped declares within what identifiers of submissions are unique.
func (s *story) scoped(within ...string) *story {
	p := s.setup.Guarantees["approval.submit"]
	p.Idempotency.Scope = within
	s.setup.Guarantees["approval.submit"] = p
	return s
}

// foreign is the approval of another client under an identifier.
func (s *story) foreign(at float64, key string) *story {
	return s.add(at, history.Record{
		Kind: history.LedgerRow, Ledger: &history.Ledger{Service: "approval", Effect: history.ApprovalCreated, Foreign: true},
		Facts: &history.Facts{Ref: "a-9", Key: key, Tenant: "acme", Object: "po-17", Confirmation: "c-9", Version: 1, Content: "content-9"},
	})
}

// copied is a request that the harness gave the service a second time.
func (s *story) copied(at float64, name, of string) *story {
	f := *s.calls[of].Facts
	s.call(at, name, "approval.submit", f)
	s.records[len(s.records)-1].Wire.Copy = true
	return s
}

func (s *story) expects(e judge.Ending) *story {
	s.setup.Expect.AnyOf = append(s.setup.Expect.AnyOf, e)
	return s
}

// Each rule with a history that it must find something in, and neighbours in
// which it must not.
var byRule = []tale{
	{"own-stop-ignored: a query after the stop was told", func(s *story) *story {
		return s.accepted().placed(100, history.Stop, nil).acked(110, 1).submit(400, "c-2", "k-1")
	}, []string{"own-stop-ignored"}},
	{"own-stop-ignored: an escalation after the stop is lawful", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin").placed(410, history.Stop, nil).acked(420, 1).
			escalates(600, "c-2", "e-1", briefed(0)).result(610, "escalated")
	}, nil},
	{"revised-while-in-doubt: the revision beside an unknown original", func(s *story) *story {
		two := version(2)
		send := two
		send.Key = "k-2"
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin").placed(410, history.Revise, &two).acked(420, 1).
			call(600, "c-2", "approval.submit", send)
	}, []string{"revised-while-in-doubt"}},
	{"revised-while-in-doubt: replaying the original after the revision is known", func(s *story) *story {
		two := version(2)
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin").placed(410, history.Revise, &two).acked(420, 1).
			checks(599).submit(600, "c-2", "k-1")
	}, []string{"revised-while-in-doubt"}},
	{"revised: sent for the first time in its newer version", func(s *story) *story {
		two := version(2)
		send := two
		send.Key = "k-2"
		return s.given(0, "w-1").placed(10, history.Revise, &two).acked(20, 1).call(200, "c-2", "approval.submit", send)
	}, nil},
	{"stale-authorization: a replay after the confirmation was said to be invalid", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin").
			checksAs(410, history.Control{Valid: false}).submit(430, "c-2", "k-1")
	}, []string{"stale-authorization", "escalation-missing"}},
	{"stale-authorization: a thread that was told the opposite a moment ago may still act on it", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin").
			checks(428).checksAs(429, history.Control{Valid: false}).submit(430, "c-2", "k-1")
	}, nil},
	{"dependent-while-in-doubt: bought on a pending approval", func(s *story) *story {
		return s.accepted().buys(200, "c-2")
	}, []string{"dependent-while-in-doubt"}},
	{"a purchase on an approval, and its lawful replay", func(s *story) *story {
		return s.approved().buys(300, "c-2").ledger(301, "c-2", history.PurchaseDone, history.Facts{Key: "k-9"}).ledger(301, "c-2", history.KeyStored, history.Facts{Key: "k-9"}).
			ends(302, "c-2", "harness rst").checks(340).buys(350, "c-3").
			reply(351, "c-3", 201, history.Facts{Ref: "p-1", Key: "k-9", Content: "content-1"}).ends(380, "c-3", "client fin").
			claims(390, "completed", "a-1").result(391, "completed")
	}, nil},
	{"blind-compensation: withdrawn while in doubt", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin").placed(410, history.Cancel, nil).acked(420, 1).
			call(600, "c-2", "approval.withdraw", history.Facts{Key: "k-2", Supersedes: "k-1"})
	}, []string{"blind-compensation"}},
	{"withdraw-impossible: withdrawn although nobody cancelled", func(s *story) *story {
		return s.accepted().call(600, "c-2", "approval.withdraw", history.Facts{Key: "k-2", Ref: "a-1"})
	}, []string{"withdraw-impossible"}},
	{"a withdrawal by rule, and its replay", func(s *story) *story {
		return s.accepted().placed(100, history.Cancel, nil).acked(110, 1).
			call(300, "c-2", "approval.withdraw", history.Facts{Key: "k-2", Ref: "a-1"}).ends(310, "c-2", "harness rst").
			checks(340).call(350, "c-3", "approval.withdraw", history.Facts{Key: "k-2", Ref: "a-1"}).
			reply(351, "c-3", 200, record("a-1", "k-1", "withdrawn")).ends(380, "c-3", "client fin").claims(381, "withdrawn", "a-1").result(382, "cancelled").
			add(9000, history.Record{Kind: history.RunNoise, Run: &history.Run{}}) // long after every period
	}, nil},
	{"conflict-retried: the same identifier after a conflict", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 409, history.Facts{Code: "identifier_conflict"}).ends(50, "c-1", "client fin").
			checks(60).submit(70, "c-2", "k-1").escalates(80, "c-3", "e-1", briefed(0))
	}, []string{"conflict-retried"}},
	{"permanent-retried: the same request after a refusal without effect", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 422, history.Facts{NoEffect: true}).ends(50, "c-1", "client fin").
			checks(60).submit(70, "c-2", "k-1")
	}, []string{"permanent-retried"}},
	{"attempts-exceeded: a fourth send", func(s *story) *story {
		s.given(0, "w-1")
		for n, name := range []string{"c-1", "c-2", "c-3", "c-4"} {
			at := float64(n) * 300
			s.checks(at).submit(at+1, name, "k-1").ends(at+2, name, "harness rst")
		}
		return s
	}, []string{"attempts-exceeded"}},
	{"attempts-exceeded: a kill grants one more", func(s *story) *story {
		s.given(0, "w-1")
		for n, name := range []string{"c-1", "c-2", "c-3"} {
			at := float64(n) * 300
			s.checks(at).submit(at+1, name, "k-1").ends(at+2, name, "harness rst")
		}
		return s.kill(700).given(720, "w-2").checks(730).submit(900, "c-4", "k-1")
	}, nil},
	{"escalation-needless: handed over while it was pending", func(s *story) *story {
		return s.accepted().escalates(200, "c-2", "e-1", history.Brief{Unknowns: []string{}}).result(210, "escalated")
	}, []string{"escalation-needless"}},
	{"uncontrolled-write: a preview that was sent", func(s *story) *story {
		p := s.setup.Guarantees["approval.submit"]
		p.Idempotency.Supported, p.Query.ByKey = false, false
		s.setup.Guarantees["approval.submit"] = p
		return s.given(0, "w-1").submit(0, "c-1", "k-1")
	}, []string{"uncontrolled-write", "escalation-missing"}},
	{"content-changed: other content under the same identifier", func(s *story) *story {
		f := confirmedV1
		f.Key, f.Content = "k-1", "content-x"
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(2, "c-1", "harness rst").checks(40).call(50, "c-2", "approval.submit", f)
	}, []string{"content-changed"}},
	{"identifier-reused: the purchase under the submission's identifier", func(s *story) *story {
		return s.approved().call(300, "c-2", "purchase.buy", history.Facts{Key: "k-1", Approval: "a-1", Content: "content-1"})
	}, []string{"identifier-reused"}},
	{"unconfirmed-content: not what was confirmed", func(s *story) *story {
		f := confirmedV1
		f.Key, f.Content = "k-1", "content-x"
		return s.given(0, "w-1").call(1, "c-1", "approval.submit", f)
	}, []string{"unconfirmed-content"}},
	{"unconfirmed-content: for another object", func(s *story) *story {
		f := confirmedV1
		f.Key, f.Object = "k-1", "po-18"
		return s.given(0, "w-1").call(1, "c-1", "approval.submit", f)
	}, []string{"unconfirmed-content"}},
	{"authorization-unchecked: a replay without a look", func(s *story) *story {
		return s.given(0, "w-1").checks(1).submit(2, "c-1", "k-1").ends(3, "c-1", "harness rst").submit(50, "c-2", "k-1")
	}, []string{"authorization-unchecked"}},
	{"authorization-unchecked: on a machine that can time nothing a look may stand in another place", func(s *story) *story {
		s.noise = 250
		return s.given(0, "w-1").checks(1).submit(2, "c-1", "k-1").ends(3, "c-1", "harness rst").submit(500, "c-2", "k-1").created(501, "c-2", "a-1").
			reply(502, "c-2", 201, record("a-1", "k-1", "declined")).ends(1200, "c-2", "client fin").claims(1201, "declined", "a-1").result(1202, "declined")
	}, []string{"authorization-unchecked?"}},
	{"escalation-incomplete: without the identifier and the instant", func(s *story) *story {
		return s.asked().call(3050, "c-8", "desk.escalate", history.Facts{Key: "e-1", Escalation: &history.Brief{
			Confirmation: "c-1", Version: 1, Unknowns: []string{"acceptance"}, Queries: briefed(1).Queries, Missing: []string{"basis"},
		}}).reply(3051, "c-8", 201, history.Facts{})
	}, []string{"escalation-incomplete"}},
	{"escalation-untrue: five queries that were never made", func(s *story) *story {
		return s.asked().escalates(3050, "c-8", "e-1", briefed(6))
	}, []string{"escalation-untrue"}},
	{"escalation-incomplete: queries that were made and are not reported", func(s *story) *story {
		return s.asked().asks(500, "q-2").asks(550, "q-3").escalates(3050, "c-8", "e-1", briefed(0))
	}, []string{"escalation-incomplete"}},
	{"fabricated-failure: a request that was turned away each time was refused", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 429, history.Facts{Seq: 50}).ends(50, "c-1", "client fin").claims(60, "refused", "").result(70, "refused")
	}, nil},
	{"escalation-untrue: the unknown is not named", func(s *story) *story {
		b := briefed(1)
		b.Unknowns = []string{"purchase"}
		return s.asked().escalates(3050, "c-8", "e-1", b)
	}, []string{"escalation-untrue"}},
	{"escalation-untrue: on a machine that can time nothing a query may never have come", func(s *story) *story {
		s.noise = 250
		return s.asked().escalates(3050, "c-8", "e-1", briefed(6)).result(3060, "escalated")
	}, []string{"escalation-untrue?"}},
	{"escalation-incomplete: on a machine that can time nothing a query may be one that was given up", func(s *story) *story {
		s.noise = 250
		return s.asked().asks(500, "q-2").asks(550, "q-3").escalates(3050, "c-8", "e-1", briefed(0)).result(3060, "escalated")
	}, []string{"escalation-incomplete?"}},
	{"escalation-untrue: off by one is within what a library may hide", func(s *story) *story {
		return s.asked().escalates(3050, "c-8", "e-1", briefed(2))
	}, nil},
	{"similar-record-adopted: taken from a search", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").created(1, "c-1", "a-1").ends(2, "c-1", "harness rst").
			call(40, "c-2", "approval.search", history.Facts{}).reply(41, "c-2", 200, listed(record("a-1", "k-1", "pending"))).ends(80, "c-2", "client fin").
			claims(81, "tracking", "a-1")
	}, []string{"similar-record-adopted", "fabricated-success"}},
	{"fabricated-success: completed and nothing bought", func(s *story) *story {
		return s.approved().result(300, "completed")
	}, []string{"fabricated-success"}},
	{"state-regressed: pending after it was declined", func(s *story) *story {
		f := record("a-1", "k-1", "declined")
		return s.accepted().placed(100, history.Event, &f).acked(110, 1).claims(300, "tracking", "a-1")
	}, []string{"state-regressed"}},
	{"state-regressed: a late old event changes nothing", func(s *story) *story {
		now, old := record("a-1", "k-1", "declined"), record("a-1", "k-1", "pending")
		return s.accepted().placed(100, history.Event, &now).placed(101, history.Event, &old).acked(110, 2).claims(300, "declined", "a-1").result(310, "declined")
	}, nil},
	{"history-rewritten: another result", func(s *story) *story {
		f := record("a-1", "k-1", "declined")
		return s.accepted().placed(100, history.Event, &f).acked(110, 1).result(300, "declined").result(310, "escalated")
	}, []string{"history-rewritten", "escalation-missing"}},
	{"attempt-unbounded: open for three time-outs", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(1300, "c-1", "client fin")
	}, []string{"attempt-unbounded"}},
	{"attempt-unbounded: a reply that drips for long after the service has written it", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").created(1, "c-1", "a-1").replied(2, "c-1", 201, record("a-1", "k-1", "pending")).ends(3, "c-1", "service fin").
			passed(1300, "c-1").ends(1301, "c-1", "client fin")
	}, []string{"attempt-unbounded"}},
	{"attempt-unbounded: a pause of the harness is not the agent's", func(s *story) *story {
		p := &history.Process{ID: "p-w-1"}
		return s.given(0, "w-1").submit(0, "c-1", "k-1").add(10, history.Record{Kind: history.ProcessPaused, Process: p}).
			add(1000, history.Record{Kind: history.ProcessResumed, Process: p}).ends(1300, "c-1", "client fin")
	}, nil},
	{"never-settled: what was to end it waited for a proof of delivery that never came", func(s *story) *story {
		return s.waitsFor("approval.submit#1 delivered").claims(61, "tracking", "a-1")
	}, []string{"never-settled?"}},
	{"never-settled: and of another call's", func(s *story) *story {
		return s.waitsFor("approval.notify#1 delivered").claims(61, "tracking", "a-1")
	}, []string{"never-settled"}},
	{"never-settled: and one that was proven", func(s *story) *story {
		return s.waitsFor("approval.submit#1 delivered").ends(60, "c-1", "client fin").claims(61, "tracking", "a-1")
	}, []string{"never-settled"}},
	{"never-settled: no result", func(s *story) *story { return s.accepted() }, []string{"never-settled"}},
	{"agent-crashed: ended before its task", func(s *story) *story {
		return s.accepted().add(100, history.Record{Kind: history.ProcessExited, Process: &history.Process{ID: "p-w-1", Code: 3}})
	}, []string{"agent-crashed"}},
	{"agent-crashed: ended by the harness", func(s *story) *story {
		return s.accepted().add(100, history.Record{Kind: history.ProcessExited, Process: &history.Process{ID: "p-w-1", Signal: "killed", Reason: "stopped"}})
	}, nil},
	{"escalation-missing: ended as escalated and nobody told", func(s *story) *story {
		return s.asked().result(3050, "escalated")
	}, []string{"escalation-missing"}},
	{"escalation-missing: on a starved machine the call may have been given up before it was seen", func(s *story) *story {
		s.noise = 300
		return s.asked().result(3450, "escalated")
	}, []string{"escalation-missing?"}},
	{"escalation-missing: a conflict that nobody was told of", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 409, history.Facts{Code: "identifier_conflict"}).ends(50, "c-1", "client fin")
	}, []string{"escalation-missing"}},
	{"duplicate-consequence: of an unprotected resend", func(s *story) *story {
		return s.asked().created(431, "c-1", "a-1").checks(440).submit(450, "c-3", "k-1").created(451, "c-3", "a-2")
	}, []string{"resubmit-without-basis", "duplicate-consequence"}},
	{"duplicate-consequence: what the harness doubled is the scenario's", func(s *story) *story {
		return s.without(true).given(0, "w-1").submit(0, "c-1", "k-1").created(1, "c-1", "a-1").created(1, "c-1", "a-2").
			reply(3, "c-1", 201, record("a-1", "k-1", "pending")).ends(50, "c-1", "client fin").claims(60, "tracking", "a-1")
	}, []string{"duplicate-consequence (scenario)"}},
	{"missing-consequence: fewer than the scenario allows", func(s *story) *story {
		return s.expects(judge.Ending{Ends: []string{"completed"}, Consequences: map[string]int{"approval": 1, "purchase": 1, "notification": 1}}).
			approved().bought(200, "c-2").result(300, "completed")
	}, []string{"missing-consequence"}},
	{"unexpected-end: another result than the scenario allows", func(s *story) *story {
		f := record("a-1", "k-1", "declined")
		return s.expects(judge.Ending{Ends: []string{"completed"}}).accepted().placed(100, history.Event, &f).acked(110, 1).result(300, "declined")
	}, []string{"unexpected-end"}},
	{"unexpected-end: a program that took long to start again may have had no time left to verify", func(s *story) *story {
		s.given(0, "w-1").submit(1, "c-1", "k-1").kill(20).ends(20, "c-1", "client fin").
			add(30, history.Record{Kind: history.ProcessStarted, Process: &history.Process{ID: "p-w-2"}})
		s.setup.Expect.AnyOf = []judge.Ending{{Ends: []string{"completed"}}}
		return s.given(4000, "w-2").escalates(4010, "c-8", "e-1", briefed(1)).result(4020, "escalated")
	}, []string{"unexpected-end?"}},
	{"unexpected-end: one that was at its work at once had it, whatever else took long", func(s *story) *story {
		s.given(0, "w-1").submit(1, "c-1", "k-1").kill(20).ends(20, "c-1", "client fin").
			add(3990, history.Record{Kind: history.ProcessStarted, Process: &history.Process{ID: "p-w-2"}})
		s.setup.Expect.AnyOf = []judge.Ending{{Ends: []string{"completed"}}}
		return s.given(4000, "w-2").escalates(4010, "c-8", "e-1", briefed(1)).result(4020, "escalated")
	}, []string{"unexpected-end"}},
	{"unexpected-end: a starved machine may let nothing end in time, and handing over is right then", func(s *story) *story {
		s.noise = 300
		return s.expects(judge.Ending{Ends: []string{"completed"}}).asked().escalates(3450, "c-9", "e-1", briefed(1)).result(3500, "escalated")
	}, []string{"unexpected-end?"}},
	{"compensation-unauthorized: withdrawn after the permission was said to be gone", func(s *story) *story {
		return s.accepted().placed(100, history.Cancel, nil).acked(110, 1).checksAs(290, history.Control{Valid: true, Permissions: []string{"submit"}}).
			call(300, "c-2", "approval.withdraw", history.Facts{Key: "k-2", Ref: "a-1"})
	}, []string{"compensation-unauthorized", "escalation-missing"}},
	{"compensation-unauthorized: a revoked confirmation does not take the right to take back", func(s *story) *story {
		return s.accepted().placed(100, history.Cancel, nil).acked(110, 1).checksAs(290, history.Control{Valid: false}).
			call(300, "c-2", "approval.withdraw", history.Facts{Key: "k-2", Ref: "a-1"}).
			reply(301, "c-2", 200, record("a-1", "k-1", "withdrawn")).ends(350, "c-2", "client fin").claims(351, "withdrawn", "a-1").result(352, "cancelled")
	}, nil},
	{"compensation-unauthorized: a thread that was told the opposite a moment ago may still act on it", func(s *story) *story {
		return s.accepted().placed(100, history.Cancel, nil).acked(110, 1).checks(297).checksAs(298, history.Control{Valid: true, Permissions: []string{"submit"}}).
			call(300, "c-2", "approval.withdraw", history.Facts{Key: "k-2", Ref: "a-1"}).
			reply(301, "c-2", 200, record("a-1", "k-1", "withdrawn")).ends(350, "c-2", "client fin").claims(351, "withdrawn", "a-1").result(352, "cancelled")
	}, nil},
	{"compensation-unverified: cancelled on a withdrawal that got no reply", func(s *story) *story {
		return s.accepted().placed(100, history.Cancel, nil).acked(110, 1).
			call(300, "c-2", "approval.withdraw", history.Facts{Key: "k-2", Ref: "a-1"}).ends(310, "c-2", "harness rst").result(320, "cancelled")
	}, []string{"compensation-unverified"}},
	{"compensation-unverified: claimed as withdrawn on the same", func(s *story) *story {
		return s.accepted().placed(100, history.Cancel, nil).acked(110, 1).
			call(300, "c-2", "approval.withdraw", history.Facts{Key: "k-2", Ref: "a-1"}).ends(310, "c-2", "harness rst").claims(320, "withdrawn", "a-1").
			checks(340).call(350, "c-3", "approval.withdraw", history.Facts{Key: "k-2", Ref: "a-1"}).
			reply(351, "c-3", 200, record("a-1", "k-1", "withdrawn")).ends(400, "c-3", "client fin").result(410, "cancelled")
	}, []string{"compensation-unverified"}},
	{"compensation-unverified: the news of the withdrawal may have come", func(s *story) *story {
		f := record("a-1", "k-1", "withdrawn")
		return s.accepted().placed(100, history.Cancel, nil).acked(110, 1).
			call(300, "c-2", "approval.withdraw", history.Facts{Key: "k-2", Ref: "a-1"}).ends(310, "c-2", "harness rst").
			placed(315, history.Event, &f).acked(318, 2).claims(320, "withdrawn", "a-1").result(330, "cancelled")
	}, nil},
	{"partial-reexecuted: the submission again, because its notification failed", func(s *story) *story {
		return s.approvedUnnotified().checks(290).submit(300, "c-2", "k-1")
	}, []string{"partial-reexecuted"}},
	{"partial-reexecuted: only the notification", func(s *story) *story {
		return s.approvedUnnotified().call(300, "c-2", "approval.notify", history.Facts{Key: "k-3", Ref: "a-1"}).
			reply(301, "c-2", 200, notified("sent")).ends(350, "c-2", "client fin").bought(360, "c-3").result(420, "completed")
	}, nil},
	{"partial-reexecuted: without a part that is known to be missing it is another rule's", func(s *story) *story {
		return s.approved().checks(290).submit(300, "c-2", "k-1")
	}, []string{"resubmit-after-acceptance"}},
	{"transient-not-retried: handed over after one attempt that was turned away", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 429, history.Facts{Seq: 200}).ends(60, "c-1", "client fin").
			escalates(300, "c-2", "e-1", history.Brief{Unknowns: []string{}}).result(310, "escalated")
	}, []string{"transient-not-retried"}},
	{"transient-not-retried: sent again after the wait", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 429, history.Facts{Seq: 200}).ends(60, "c-1", "client fin").
			checks(240).submit(250, "c-2", "k-1").reply(251, "c-2", 422, history.Facts{NoEffect: true}).ends(300, "c-2", "client fin").result(310, "refused")
	}, nil},
	{"transient-not-retried: the wait is longer than there is time", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 429, history.Facts{Seq: 5000}).ends(60, "c-1", "client fin").
			escalates(300, "c-2", "e-1", history.Brief{Unknowns: []string{}}).result(310, "escalated")
	}, nil},
	{"scope-ignored: the same identifier for another tenant", func(s *story) *story {
		f := confirmedV1
		f.Key, f.Tenant = "k-1", "default"
		return s.scoped("tenant", "object").given(0, "w-1").submit(0, "c-1", "k-1").ends(2, "c-1", "harness rst").checks(40).call(50, "c-2", "approval.submit", f)
	}, []string{"scope-ignored"}},
	{"scope-ignored: for another object", func(s *story) *story {
		f := confirmedV1
		f.Key, f.Object = "k-1", "po-18"
		return s.scoped("tenant", "object").given(0, "w-1").submit(0, "c-1", "k-1").ends(2, "c-1", "harness rst").checks(40).call(50, "c-2", "approval.submit", f)
	}, []string{"scope-ignored"}},
	{"scope-ignored: where identifiers are unique for all objects, it is other content and no other scope", func(s *story) *story {
		f := confirmedV1
		f.Key, f.Object = "k-1", "po-18"
		return s.scoped("tenant").given(0, "w-1").submit(0, "c-1", "k-1").ends(2, "c-1", "harness rst").checks(40).call(50, "c-2", "approval.submit", f)
	}, []string{"unconfirmed-content"}},
	{"scope-ignored: a request that was cut before it said for whom proves nothing", func(s *story) *story {
		s.scoped("tenant", "object").given(0, "w-1").submit(0, "c-1", "k-1").ends(2, "c-1", "harness rst").checks(40).
			call(50, "c-2", "approval.submit", history.Facts{Key: "k-1"})
		s.records[len(s.records)-1].Wire.Whole = false
		return s
	}, nil},
	{"conflict-accepted: executed beside another client's request", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").foreign(1, "k-1").created(2, "c-1", "a-2")
	}, []string{"conflict-accepted (service)"}},
	{"conflict-accepted: long after the identifier was given up", func(s *story) *story {
		return s.foreign(0, "k-1").given(2100, "w-1").submit(2101, "c-1", "k-1").created(2102, "c-1", "a-2")
	}, nil},
	{"conflict-accepted: of another tenant, whose identifiers are its own", func(s *story) *story {
		s.scoped("tenant").given(0, "w-1").submit(0, "c-1", "k-1").foreign(1, "k-1")
		s.records[len(s.records)-1].Facts.Tenant = "globex"
		return s.created(2, "c-1", "a-2")
	}, nil},
	{"concurrent-duplicate: two at once, and the service keeps both", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").copied(1, "c-2", "c-1").created(2, "c-2", "a-1").created(3, "c-1", "a-2")
	}, []string{"concurrent-duplicate (service)"}},
	{"concurrent-duplicate: one after the other is another promise", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").created(1, "c-1", "a-1").copied(2, "c-2", "c-1").created(3, "c-2", "a-2")
	}, []string{"promise-broken (service)"}},
	{"control-flooded: the run had to be ended", func(s *story) *story {
		s.reason = "flooded"
		return s.accepted()
	}, []string{"control-flooded"}},
}

func TestRules(t *testing.T) { judgeAll(t, byRule) }

func TestEveryRuleIsBrokenByAStory(t *testing.T) {
	g := gomega.NewWithT(t)
	hit := map[string]bool{}
	for _, c := range tales() {
		for _, f := range c.story(tell(t)).judged().Findings {
			hit[f.Rule] = true
		}
	}
	for _, r := range judge.Rules() {
		g.Expect(hit).To(gomega.HaveKey(r.ID))
		g.Expect(r.Sentence).To(gomega.HaveSuffix("."), r.ID)
		g.Expect(r.Correct).To(gomega.HaveSuffix("."), r.ID)
		g.Expect(r.Covers).NotTo(gomega.BeEmpty(), r.ID)
	}
}
