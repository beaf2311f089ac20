package judge_test

import (
	"testing"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Awkward histories of evidence: what a message proves, to whom, and for how long.
var awkwardEvidence = []tale{
	// A client that sends its head first and waits for leave to send the rest: Expect: 100-continue.
	{"a request of which only the head left is in doubt", func(s *story) *story {
		s.without(true).given(0, "w-1").checks(0).call(1, "c-1", "approval.submit", history.Facts{Key: "k-1"})
		s.cut("c-1")
		return s.ends(400, "c-1", "client fin").claims(410, "pending_verification", "").
			call(420, "c-2", "approval.query", history.Facts{Key: "k-1"}).reply(421, "c-2", 200, listed()).ends(450, "c-2", "client fin").
			call(2990, "c-3", "approval.query", history.Facts{Key: "k-1"}).reply(2991, "c-3", 200, listed()).ends(3040, "c-3", "client fin").
			escalates(3200, "c-4", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Unknowns: []string{"acceptance"}, Queries: briefed(2).Queries}).result(3210, "escalated")
	}, nil},
	{"a reference that something else had told proves no reply", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(3, "c-1", 201, record("a-1", "k-1", "pending")).ends(60, "c-1", "client fin").
			call(100, "c-2", "approval.track", history.Facts{Ref: "a-1"}).reply(250, "c-2", 200, record("a-1", "k-1", "declined")).ends(251, "c-2", "client fin").
			claims(260, "tracking", "a-1")
	}, nil},
	{"a reference that only ambiguous replies can have told proves one of them", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(150, "c-1", 201, record("a-1", "k-1", "pending")).ends(151, "c-1", "client fin").
			call(200, "c-2", "approval.query", history.Facts{Key: "k-1"}).reply(350, "c-2", 200, listed(record("a-1", "k-1", "pending"))).ends(351, "c-2", "client fin").
			claims(360, "tracking", "a-1").checks(370).submit(380, "c-3", "k-1")
	}, []string{"resubmit-after-acceptance"}},
	{"created names a record and does not say what it holds", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").ends(3, "c-1", "harness rst").
			call(10, "c-2", "approval.query", history.Facts{Key: "k-1"}).reply(11, "c-2", 200, history.Facts{Ref: "a-1", Status: "created"}).ends(40, "c-2", "client fin").
			checks(50).submit(60, "c-3", "k-1").claims(70, "tracking", "a-1")
	}, nil},
	{"a request that was sent before the reply came proves nothing about it", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1@conn", "k-1").created(2, "c-1@conn", "a-1").call(3, "c-2@conn", "approval.query", history.Facts{Key: "k-1"}).
			reply(150, "c-1@conn", 201, record("a-1", "k-1", "pending")).ends(151, "c-1@conn", "client fin").checks(170).submit(180, "c-3", "k-1")
	}, nil},
	{"a client that was stopped while the reply came may have given up before it read it", func(s *story) *story {
		p := &history.Process{ID: "p-w-1"}
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").add(10, history.Record{Kind: history.ProcessPaused, Process: p}).
			reply(20, "c-1", 201, record("a-1", "k-1", "pending")).add(1000, history.Record{Kind: history.ProcessResumed, Process: p}).
			ends(1001, "c-1", "client fin").checks(1020).submit(1030, "c-2", "k-1")
	}, nil},
	{"a garbled reply says no more than its status", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").garbled(3, "c-1").reply(4, "c-1", 201, record("a-1", "k-1", "pending")).
			ends(60, "c-1", "client fin").checks(70).submit(80, "c-2", "k-1")
	}, nil},
	{"a garbled 409 says that this attempt had no effect, and not why", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").garbled(3, "c-1").reply(4, "c-1", 409, history.Facts{Code: "identifier_conflict", NoEffect: true}).
			ends(60, "c-1", "client fin").result(70, "refused")
	}, nil},
	{"3: the head of a refusal decides, however little of its body was written", func(s *story) *story {
		s.given(0, "w-1").submit(0, "c-1", "k-1").replied(1, "c-1", 422, history.Facts{NoEffect: true})
		w := *s.calls["c-1"].Wire
		w.Whole, w.Size = false, 5
		return s.add(2, history.Record{Kind: history.CallPassing, Call: "c-1", Wire: &w}).ends(3, "c-1", "harness fin").claims(30, "refused", "").result(31, "refused")
	}, nil},
	{"9: after a fence a refusal of the successor settles all", func(s *story) *story {
		return s.fenced().checks(430).resubmits(440, "c-3", "k-2").reply(441, "c-3", 422, history.Facts{NoEffect: true}).ends(480, "c-3", "client fin").
			claims(490, "refused", "").result(491, "refused")
	}, nil},
	{"9: a wait that answers the successor leaves it not executed", func(s *story) *story {
		return s.fenced().checks(430).resubmits(440, "c-3", "k-2").reply(441, "c-3", 429, history.Facts{Seq: 50}).ends(480, "c-3", "client fin").
			escalates(490, "c-4", "e-1", history.Brief{Key: "k-2", FirstSentAt: "x", Unknowns: []string{}}).result(500, "escalated")
	}, nil},
	{"9: a successor that was turned away without effect is sent again under its own identifier", func(s *story) *story {
		return s.fenced().checks(430).resubmits(440, "c-3", "k-2").reply(441, "c-3", 429, history.Facts{Seq: 50}).ends(480, "c-3", "client fin").
			checks(499).resubmits(500, "c-4", "k-2")
	}, nil},
	{"9: and not under another", func(s *story) *story {
		return s.fenced().checks(430).resubmits(440, "c-3", "k-2").reply(441, "c-3", 429, history.Facts{Seq: 50}).ends(480, "c-3", "client fin").
			checks(499).resubmits(500, "c-4", "k-3")
	}, []string{"identifier-changed"}},
	{"9: the retention of a successor runs from its own first byte", func(s *story) *story {
		s.voids().given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin")
		return s.fence(1600).checks(1640).resubmits(1650, "c-3", "k-2").ends(1660, "c-3", "harness rst").checks(2190).submit(2200, "c-4", "k-2")
	}, nil},
	{"9: that the first identifier is dead says nothing about its successor", func(s *story) *story {
		s.fenced().checks(430).resubmits(440, "c-3", "k-2").ends(450, "c-3", "harness rst")
		return s.call(460, "c-4", "approval.query", history.Facts{Key: "k-1"}).reply(461, "c-4", 200, history.Facts{Status: "void", Final: true}).ends(500, "c-4", "client fin").
			call(510, "c-5", "approval.void", history.Facts{Key: "k-2"})
	}, nil},
	{"a request that was cut before it said what it is is nothing", func(s *story) *story {
		s.given(0, "w-1").call(1, "c-1", "approval.submit", history.Facts{Key: "k-1"})
		s.cut("c-1")
		return s.kill(2).ends(2, "c-1", "client rst").given(20, "w-2").checks(25).submit(30, "c-2", "k-1")
	}, nil},
	{"a replay that was cut has not changed its content", func(s *story) *story {
		s.given(0, "w-1").submit(1, "c-1", "k-1").ends(2, "c-1", "harness rst").checks(40).call(50, "c-2", "approval.submit", history.Facts{Key: "k-1"})
		s.cut("c-2")
		return s.kill(51).ends(51, "c-2", "client rst").given(70, "w-2").checks(75).submit(80, "c-3", "k-1")
	}, nil},
	{"without an identifier no service can recognise a repetition", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "").ends(10, "c-1", "harness rst").checks(40).submit(50, "c-2", "")
	}, []string{"identifier-missing", "identifier-changed"}},
	{"one of two records that was never shown to the agent leaves no doubt about the other", func(s *story) *story {
		s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").created(3, "c-1", "a-2").ends(4, "c-1", "harness rst").
			call(60, "c-2", "approval.query", history.Facts{Key: "k-1"}).reply(61, "c-2", 200, listed(record("a-1", "k-1", "pending"))).ends(100, "c-2", "client fin")
		return s.checks(400).submit(410, "c-3", "k-1")
	}, []string{"resubmit-after-acceptance", "promise-broken (service)"}},
	{"of two records under one identifier the agent may go by either", func(s *story) *story {
		two, other := version(2), record("a-1", "k-1", "approved")
		return s.accepted().created(70, "c-1", "a-2").placed(100, history.Revise, &two).acked(101, 1).
			call(300, "c-2", "approval.withdraw", history.Facts{Key: "k-2", Ref: "a-2"}).reply(301, "c-2", 200, record("a-2", "k-1", "withdrawn")).ends(340, "c-2", "client fin").
			placed(350, history.Event, &other).acked(351, 2).escalates(500, "c-3", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Unknowns: []string{}}).result(510, "escalated")
	}, []string{"promise-broken (service)"}},
	{"a second record under the same identifier says nothing of the first one's notification", func(s *story) *story {
		f, twin := missing("approved"), record("a-2", "k-1", "approved")
		twin.Notification = "sent"
		return s.notices().accepted().placed(100, history.Event, &f).acked(110, 1).notifies(300, "c-2").ends(310, "c-2", "harness rst").created(320, "c-1", "a-2").
			call(330, "c-3", "approval.query", history.Facts{Key: "k-1"}).reply(331, "c-3", 200, listed(twin)).ends(360, "c-3", "client fin").
			escalates(3310, "c-4", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Unknowns: []string{"notification"}, Queries: briefed(1).Queries}).resultNaming(3320, "escalated", "notification")
	}, []string{"promise-broken (service)"}},
	{"a notification that failed again may be sent again", func(s *story) *story {
		f := missing("approved")
		return s.notices().accepted().placed(100, history.Event, &f).acked(110, 1).notifies(300, "c-2").reply(301, "c-2", 200, f).ends(340, "c-2", "client fin").
			checks(350).notifies(360, "c-3")
	}, nil},
	{"14: a reply that never arrived has not told that the notification was sent", func(s *story) *story {
		f, sent := missing("approved"), record("a-1", "k-1", "approved")
		sent.Notification = "sent"
		return s.notices().accepted().placed(100, history.Event, &f).acked(110, 1).
			call(250, "c-2", "approval.track", history.Facts{Ref: "a-1"}).ends(260, "c-2", "client fin").reply(300, "c-2", 200, sent).notifies(310, "c-3")
	}, nil},
	{"an older record does not take a notification back that was sent", func(s *story) *story {
		f, sent := missing("approved"), record("a-1", "k-1", "approved")
		sent.Notification, sent.Seq, f.Seq = "sent", 3, 2
		return s.notices().accepted().placed(100, history.Event, &sent).placed(101, history.Event, &f).acked(110, 2).notifies(310, "c-3")
	}, []string{"uncontrolled-write"}},
	{"a 403 on the replay may be taken for the end of the authorization", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(10, "c-1", "harness rst").checks(40).submit(50, "c-2", "k-1").
			reply(51, "c-2", 403, history.Facts{NoEffect: true, Code: "permission"}).ends(90, "c-2", "client fin").
			escalates(100, "c-3", "e-1", briefed(0)).result(110, "escalated")
	}, nil},
	{"evidence that nothing was executed does not bind what was sent before it was noticed", func(s *story) *story {
		s.voids().given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin").
			call(405, "c-9", "purchase.query", history.Facts{Key: "k-9"}) // another thread waits for this
		s.fence(410)
		return s.checks(430).resubmits(440, "c-3", "k-2").ends(450, "c-3", "harness rst").ends(480, "c-9", "client fin").
			call(600, "c-5", "approval.void", history.Facts{Key: "k-2"})
	}, nil},
}

func TestAwkwardHistoriesOfEvidence(t *testing.T) { judgeAll(t, awkwardEvidence) }

// missing is the record of an approval whose notification failed.
func missing(status string) history.Facts {
	f := record("a-1", "k-1", status)
	f.Notification = "failed"
	return f
}

// notices promises that notifications can be repeated.
func (s *story) notices() *story {
	s.setup.Guarantees["approval.notify"] = s.setup.Guarantees["approval.withdraw"]
	return s
}

func (s *story) notifies(at float64, name string) *story {
	return s.call(at, name, "approval.notify", history.Facts{Key: "n-1", Ref: "a-1"})
}

// voids promises that identifiers can be fenced.
func (s *story) voids() *story {
	p := s.setup.Guarantees["approval.submit"]
	p.Void = true
	s.setup.Guarantees["approval.submit"] = p
	return s
}

// fence is a fence of k-1 that holds.
func (s *story) fence(at float64) *story {
	return s.call(at, "c-2", "approval.void", history.Facts{Key: "k-1"}).ledger(at+1, "c-2", history.KeyFenced, history.Facts{Key: "k-1"}).
		reply(at+2, "c-2", 200, history.Facts{Status: "void", Final: true}).ends(at+15, "c-2", "client fin")
}

// cut makes a request one that was not complete.
func (s *story) cut(name string) {
	for n := range s.records {
		if s.records[n].Call == name {
			s.records[n].Wire.Whole = false
		}
	}
}

// garbled is the receipt of a fault that garbles the reply to a call.
func (s *story) garbled(at float64, name string) *story {
	return s.add(at, history.Record{Kind: history.FaultFired, Call: name, Fault: &history.Fault{ID: "f-1", Anchor: "approval.submit#1 replied", Effect: "garble"}})
}
