package judge_test

import (
	"testing"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Awkward histories of several processes: what one knows, what another can
// know, and what a kill takes away.
var awkwardWorkers = []tale{
	{"a wait that one worker was asked for does not bind the other", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 429, history.Facts{Seq: 500}).ends(20, "c-1", "client fin").
			given(25, "w-2").checks(50).submit(60, "c-2", "k-1")
	}, nil},
	{"a wait that was asked for is remembered through a kill, if something was claimed since", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 429, history.Facts{Seq: 500}).ends(20, "c-1", "client fin").
			claims(21, "submitting", "").kill(25).given(50, "w-2").checks(55).submit(60, "c-2", "k-1")
	}, []string{"retry-after-ignored"}},
	{"a wait that was asked for dies with the process that had stored nothing since", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 429, history.Facts{Seq: 500}).ends(25, "c-1", "client fin").
			kill(25).given(50, "w-2").checks(55).submit(60, "c-2", "k-1")
	}, nil},
	{"two workers that send for the first time at once need no second look", func(s *story) *story {
		return s.given(0, "w-1").given(1, "w-2").submit(5, "c-1", "k-1").as("w-1").submit(6, "c-2", "k-1")
	}, nil},
	{"a look at the authorization counts from the worker's own last send, not from another's", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").ends(2, "c-1", "harness rst").given(3, "w-2").checks(40).
			as("w-1").checks(40).submit(41, "c-2", "k-1").as("w-2").submit(42, "c-3", "k-1")
	}, nil},
	{"on a starved machine a look may be recorded before the send that it followed", func(s *story) *story {
		s.noise = 50
		return s.given(0, "w-1").checks(1).checks(30).submit(35, "c-1", "k-1").ends(36, "c-1", "client fin").submit(50, "c-2", "k-1")
	}, nil},
	{"there a single look decides nothing", func(s *story) *story {
		s.noise = 50
		return s.given(0, "w-1").checks(30).submit(35, "c-1", "k-1").ends(36, "c-1", "client fin").submit(50, "c-2", "k-1")
	}, []string{"authorization-unchecked?"}},
	{"and so it does however late the gate read a send with its client's end, from the dial on", func(s *story) *story {
		s.noise = 20
		return s.given(0, "w-1").opens(20, "c-1").checks(60).submit(120, "c-1", "k-1").ends(121, "c-1", "client fin").submit(180, "c-2", "k-1")
	}, []string{"authorization-unchecked?"}},
	{"nor does it matter that the reply was passed before the gate read that end", func(s *story) *story {
		s.noise = 20
		return s.given(0, "w-1").checks(1).checks(115).submit(120, "c-1", "k-1").reply(300, "c-1", 201, record("a-1", "k-1", "pending")).
			ends(301, "c-1", "client fin").submit(360, "c-2", "k-1")
	}, []string{"authorization-unchecked?"}},
	{"a look that came after the first byte came after the send", func(s *story) *story {
		s.given(0, "w-1").checks(1).checks(60).submit(70, "c-1", "k-1")
		s.calls["c-1"].Wire.First = instant(50)
		return s.ends(71, "c-1", "client fin").submit(180, "c-2", "k-1")
	}, nil},
	{"a reply is news to a send that the gate had not read yet", func(s *story) *story {
		s.noise = 20
		return s.given(0, "w-1").submit(1, "c-1", "k-1").ends(2, "c-1", "client fin").checks(40).opens(50, "c-3").
			call(100, "c-2", "approval.query", history.Facts{Key: "k-1"}).reply(150, "c-2", 200, listed(record("a-1", "k-1", "pending"))).
			submit(151, "c-3", "k-1").ends(152, "c-3", "client fin").ends(200, "c-2", "client fin")
	}, nil},
	{"and to none that it had read", func(s *story) *story {
		s.noise = 20
		return s.given(0, "w-1").submit(1, "c-1", "k-1").ends(2, "c-1", "client fin").checks(40).opens(50, "c-3").
			call(100, "c-2", "approval.query", history.Facts{Key: "k-1"}).reply(150, "c-2", 200, listed(record("a-1", "k-1", "pending"))).
			submit(151, "c-3", "k-1").ends(300, "c-3", "client fin").ends(301, "c-2", "client fin")
	}, []string{"resubmit-after-acceptance"}},
	{"a reply may be recorded as written after the next send, if the client waited since it was about to be", func(s *story) *story {
		return s.given(0, "w-1").checks(0).submit(1, "c-1", "k-1").replied(10, "c-1", 503, history.Facts{}).
			add(10, history.Record{Kind: history.CallPassing, Call: "c-1", Wire: s.calls["c-1"].Wire}).checks(60).submit(110, "c-2@conn-c-1", "k-1").
			add(120, history.Record{Kind: history.CallPassed, Call: "c-1", Wire: s.calls["c-1"].Wire})
	}, nil},
	{"a client that has waited was read in time", func(s *story) *story {
		s.noise = 20
		return s.given(0, "w-1").opens(20, "c-1").checks(60).submit(120, "c-1", "k-1").ends(260, "c-1", "client fin").submit(320, "c-2", "k-1")
	}, []string{"authorization-unchecked"}},
	{"an attempt that was recorded just before a kill is spent, though it never left", func(s *story) *story {
		p := s.setup.Guarantees["approval.submit"]
		p.Query.ByKey = false
		s.setup.Guarantees["approval.submit"] = p
		s.given(0, "w-1").checks(0).submit(1, "c-1", "k-1").ends(2, "c-1", "harness rst").checks(100).submit(101, "c-2", "k-1").ends(102, "c-2", "harness rst")
		return s.kill(200).given(250, "w-2").escalates(260, "c-3", "e-1", briefed(0)).result(270, "escalated")
	}, nil},
	{"nor does one that a worker beside it is about to make", func(s *story) *story {
		p := s.setup.Guarantees["approval.submit"]
		p.Query.ByKey = false
		s.setup.Guarantees["approval.submit"] = p
		s.given(0, "w-1").checks(0).submit(1, "c-1", "k-1").ends(2, "c-1", "harness rst").given(3, "w-2").as("w-1").checks(100).submit(101, "c-2", "k-1").ends(102, "c-2", "harness rst")
		return s.escalates(110, "c-3", "e-1", briefed(0)).result(120, "escalated")
	}, nil},
	{"9: a worker may send what another has just fenced", func(s *story) *story {
		s.voids().given(0, "w-1").given(1, "w-2")
		return s.as("w-1").fence(5).checks(21).resubmits(22, "c-3", "k-2").as("w-2").submit(24, "c-4", "k-1")
	}, nil},
	{"24: what may have left before a kill may have expired when the next process comes", func(s *story) *story {
		p := s.setup.Guarantees["approval.submit"]
		p.Query.ByKey, p.Idempotency.RetentionMS = false, 1000
		s.setup.Guarantees["approval.submit"] = p
		return s.given(0, "w-1").kill(5).given(1500, "w-2").escalates(1510, "c-3", "e-1", briefed(0)).result(1520, "escalated")
	}, nil},
	{"9: what another worker sends under a dead identifier puts nothing in doubt", func(s *story) *story {
		s.voids().given(0, "w-1").submit(0, "c-1", "k-1").ends(1, "c-1", "harness rst").given(2, "w-2")
		return s.as("w-1").fence(40).checks(56).as("w-2").checks(57).submit(58, "c-3", "k-1").as("w-1").resubmits(60, "c-4", "k-2")
	}, nil},
	{"24: nor need what is sent again then be protected for longer", func(s *story) *story {
		p := s.setup.Guarantees["approval.submit"]
		p.Query.ByKey = false
		s.setup.Guarantees["approval.submit"] = p
		return s.given(0, "w-1").kill(5).given(1500, "w-2").checks(1505).submit(1510, "c-1", "k-1").ends(1600, "c-1", "client fin").
			escalates(2100, "c-3", "e-1", briefed(0)).result(2110, "escalated")
	}, nil},
	{"24: a process may be killed in the moment in which it is given its work", func(s *story) *story {
		return s.add(0, history.Record{Kind: history.ProcessKilled, Process: &history.Process{ID: "p-w-1"}}).given(0.1, "w-1").given(30, "w-2").
			asks(40, "c-2").escalates(3010, "c-3", "e-1", briefed(1)).result(3020, "escalated")
	}, nil},
	{"what a worker beside it has recorded may be in doubt before it has left", func(s *story) *story {
		return s.voids().given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 429, history.Facts{Seq: 50}).ends(20, "c-1", "client fin").
			given(25, "w-2").as("w-1").fence(60)
	}, nil},
	{"a refusal settles nothing for a worker that does not know that the attempts before had no effect", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 429, history.Facts{Seq: 50}).ends(20, "c-1", "client fin").given(25, "w-2").
			checks(50).submit(60, "c-2", "k-1").reply(61, "c-2", 422, history.Facts{NoEffect: true}).ends(80, "c-2", "client fin").
			checks(99).submit(100, "c-3", "k-1")
	}, nil},
	{"a worker beside it may not know of a purchase when it hands a cancelled task over", func(s *story) *story {
		return s.approved().given(190, "w-2").placed(200, history.Cancel, nil).as("w-1").acked(201, 2).buys(202, "c-2").
			as("w-2").acked(203, 2).call(320, "c-3", "approval.track", history.Facts{Ref: "a-1"}).reply(321, "c-3", 200, record("a-1", "k-1", "approved")).
			ends(360, "c-3", "client fin").escalates(370, "c-4", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Unknowns: []string{}}).result(380, "escalated")
	}, nil},
	{"an escalation is something before which evidence must be stored", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 409, history.Facts{Code: "identifier_conflict"}).ends(50, "c-1", "client fin").
			escalates(60, "c-2", "e-1", history.Brief{Queries: nil}).kill(70).given(80, "w-2").checks(85).submit(90, "c-3", "k-1")
	}, []string{"conflict-retried"}},
	{"what a process claimed is remembered by the one after the next", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").kill(3).ends(4, "c-1", "client fin").
			given(10, "w-2").checks(20).submit(30, "c-2", "k-1").reply(31, "c-2", 201, record("a-1", "k-1", "pending")).ends(60, "c-2", "client fin").
			claims(61, "tracking", "a-1").kill(70).given(80, "w-3").checks(90).submit(100, "c-3", "k-1")
	}, []string{"resubmit-after-acceptance"}},
	{"24: a purchase may have been recorded when the process was killed; the next one looks for it and hands over", func(s *story) *story {
		return s.approved().claims(250, "tracking", "a-1").kill(300).given(350, "w-2").
			call(360, "c-2", "purchase.query", history.Facts{Key: "k-9"}).reply(361, "c-2", 200, listed()).ends(400, "c-2", "client fin").
			escalates(3310, "c-3", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Unknowns: []string{"purchase"}, Queries: briefed(1).Queries}).
			result(3320, "escalated")
	}, nil},
	{"queries whose answers were not stored die with the process", func(s *story) *story {
		s.without(true).given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin")
		for n := range 5 {
			s.asks(410+float64(n)*30, "q-"+string(rune('1'+n)))
		}
		return s.kill(600).given(650, "w-2").asks(700, "q-9").escalates(3010, "c-8", "e-1", briefed(1)).result(3020, "escalated")
	}, nil},
	{"queries that were asked before something was claimed are counted by whoever comes after", func(s *story) *story {
		s.without(true).given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin")
		for n := range 5 {
			s.asks(410+float64(n)*30, "q-"+string(rune('1'+n)))
		}
		return s.claims(590, "pending_verification", "").kill(600).given(650, "w-2").asks(700, "q-9").escalates(3010, "c-8", "e-1", briefed(1)).result(3020, "escalated")
	}, []string{"escalation-incomplete"}},
	{"queries of a worker beside it may be missing from an escalation", func(s *story) *story {
		return s.asked().given(430, "w-2").asks(500, "q-2").asks(600, "q-3").asks(700, "q-4").as("w-1").
			escalates(3010, "c-8", "e-1", briefed(1)).result(3020, "escalated")
	}, nil},
	{"a decision that was stored is known to the next process", func(s *story) *story {
		return s.decided("resubmit").offered(3300, 1).kill(3310).given(3400, "w-2").checks(3410).resubmits(3420, "c-9", "k-2")
	}, nil},
	{"19: a transport resend is one though another worker has sent in between", func(s *story) *story {
		return s.given(0, "w-1").call(1, "q@conn", "approval.query", history.Facts{Key: "k-0"}).reply(2, "q@conn", 200, listed()).
			submit(10, "c-1@conn", "k-1").given(11, "w-2").checks(11).submit(11.5, "c-9", "k-1").as("w-1").ends(12, "c-1@conn", "harness rst").submit(13, "c-2", "k-1")
	}, nil},
	{"a work item that carries the newer version says that the older one is revised", func(s *story) *story {
		two := version(2)
		s.given(0, "w-1").placed(5, history.Revise, &two).kill(6).given(10, "w-2")
		s.records[len(s.records)-1].Facts = &two
		return s.submit(20, "c-1", "k-1")
	}, []string{"revised-while-in-doubt"}},
}

func TestAwkwardHistoriesOfSeveralProcesses(t *testing.T) { judgeAll(t, awkwardWorkers) }

// asks is an empty answer to a question about k-1.
func (s *story) asks(at float64, name string) *story {
	return s.call(at, name, "approval.query", history.Facts{Key: "k-1"}).reply(at+1, name, 200, listed()).ends(at+20, name, "client fin")
}

// decided is an escalation at the end of the period, and a person's decision.
func (s *story) decided(choice string) *story {
	s.asked().escalates(3050, "c-8", "e-1", briefed(1)).placed(3200, history.Decision, nil)
	s.records[len(s.records)-1].Control.Choice = choice
	return s
}

func (s *story) resubmits(at float64, name, key string) *story {
	f := confirmedV1
	f.Key, f.Supersedes = key, "k-1"
	return s.call(at, name, "approval.submit", f)
}

func (s *story) offered(at float64, item int) *story {
	return s.add(at, history.Record{Kind: history.ControlOffered, Control: &history.Control{Item: item}})
}
