package judge_test

import (
	"slices"
	"testing"

	"github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// The histories on which a judge goes wrong, with the right answers. Each is
// told up to the moment that matters; what a story leaves open at its end
// (never-settled) is not what it is about.
var awkward = []tale{
	{"1: a reply written after the client gave up leaves the outcome in doubt; a protected replay is lawful", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").ends(401, "c-1", "client fin").
			reply(501, "c-1", 201, record("a-1", "k-1", "pending")).checks(520).submit(521, "c-2", "k-1")
	}, nil},
	{"2: a reply within the noise of the client's close permits both", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").
			reply(150, "c-1", 201, record("a-1", "k-1", "pending")).ends(151, "c-1", "client fin").
			checks(170).submit(180, "c-2", "k-1").claims(200, "tracking", "a-1")
	}, nil},
	{"2: a reply that the client took well before it closed forbids the replay", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").
			reply(10, "c-1", 201, record("a-1", "k-1", "pending")).ends(151, "c-1", "client fin").checks(170).submit(180, "c-2", "k-1")
	}, []string{"resubmit-after-acceptance"}},
	{"3: a cut reply that names the record permits both", func(s *story) *story {
		s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").replied(3, "c-1", 201, record("a-1", "k-1", "pending"))
		w := *s.calls["c-1"].Wire
		w.Whole, w.Size = false, 14
		s.add(4, history.Record{Kind: history.CallPassing, Call: "c-1", Wire: &w}).ends(5, "c-1", "harness fin")
		return s.checks(30).submit(31, "c-2", "k-1").claims(40, "tracking", "a-1")
	}, nil},
	{"4: the retention runs from the agent's own first byte", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(399, "c-1", "client fin").created(400, "c-1", "a-1").
			checks(2090).submit(2100, "c-2", "k-1")
	}, []string{"replay-after-expiry"}},
	{"4: a replay at the end of the retention is lawful", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").created(1, "c-1", "a-1").ends(399, "c-1", "client fin").
			checks(1980).submit(1990, "c-2", "k-1")
	}, nil},
	{"5: a lawful replay that a fault carried past the retention is the scenario's", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").created(1, "c-1", "a-1").ends(399, "c-1", "client fin").
			checks(1980).submit(1990, "c-2", "k-1").created(2100, "c-2", "a-2")
	}, []string{"duplicate-consequence (scenario)"}},
	{"6: a service that loses its deduplication record is to blame, not the lawful replay", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ledger(1, "c-1", history.ApprovalCreated, record("a-1", "k-1", "pending")).
			ends(2, "c-1", "harness rst").checks(100).submit(101, "c-2", "k-1").created(102, "c-2", "a-2")
	}, []string{"dedup-not-atomic (service)"}},
	{"6: a service that has the record and executes again breaks its promise", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").created(1, "c-1", "a-1").
			ends(2, "c-1", "harness rst").checks(100).submit(101, "c-2", "k-1").created(102, "c-2", "a-2")
	}, []string{"promise-broken (service)"}},
	{"7: a refusal of the replay settles only the replay", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").created(1, "c-1", "a-1").ends(2, "c-1", "harness rst").
			checks(100).submit(101, "c-2", "k-1").reply(102, "c-2", 422, history.Facts{NoEffect: true}).ends(110, "c-2", "client fin").
			claims(111, "failed", "").result(112, "refused")
	}, []string{"fabricated-failure"}},
	{"7: a refusal of the first send settles it", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 422, history.Facts{NoEffect: true}).ends(110, "c-1", "client fin").
			claims(111, "refused", "").result(112, "refused")
	}, nil},
	{"8: unknown is never final, and a resend without protection has no basis", func(s *story) *story {
		return s.without(true).given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin").
			call(410, "c-2", "approval.query", history.Facts{Key: "k-1"}).reply(411, "c-2", 200, history.Facts{Key: "k-1", Status: "unknown"}).ends(420, "c-2", "client fin").
			checks(430).submit(440, "c-3", "k-1")
	}, []string{"resubmit-without-basis"}},
	{"9: after a fence a successor is lawful", func(s *story) *story {
		f := confirmedV1
		f.Key, f.Supersedes = "k-2", "k-1"
		return s.fenced().checks(430).call(440, "c-3", "approval.submit", f)
	}, nil},
	{"9: without a fence it is a changed identifier", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin").checks(430).submit(440, "c-3", "k-2")
	}, []string{"identifier-changed"}},
	{"10: a record of another version is not the intent's own", func(s *story) *story {
		other := record("a-9", "k-1", "pending")
		other.Version, other.Digest = 2, "d-2"
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin").
			call(410, "c-2", "approval.query", history.Facts{Key: "k-1"}).reply(411, "c-2", 200, listed(other)).ends(430, "c-2", "client fin").
			claims(431, "tracking", "a-9")
	}, []string{"wrong-association", "fabricated-success"}},
	{"11: a worker that saw nothing may replay what the other knows to be accepted", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(3, "c-1", 201, record("a-1", "k-1", "pending")).
			given(4, "w-2").as("w-1").claims(50, "tracking", "a-1").ends(60, "c-1", "client fin").
			as("w-2").checks(61).submit(62, "c-2", "k-1")
	}, nil},
	{"11: with another identifier it is guilty", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(3, "c-1", 201, record("a-1", "k-1", "pending")).
			ends(60, "c-1", "client fin").given(61, "w-2").checks(62).submit(63, "c-2", "k-2")
	}, []string{"identifier-changed"}},
	{"12: two workers that escalate under one identifier have escalated once", func(s *story) *story {
		return s.asked().given(500, "w-2").as("w-1").escalates(3050, "c-8", "e-1", briefed(1)).as("w-2").escalates(3060, "c-9", "e-1", briefed(1))
	}, nil},
	{"12: another identifier for the same matter is a repeat", func(s *story) *story {
		return s.asked().escalates(3050, "c-8", "e-1", briefed(1)).escalates(3060, "c-9", "e-2", briefed(1))
	}, []string{"escalation-repeated"}},
	{"13: a first send that leaves while the cancellation is on its way is lawful", func(s *story) *story {
		return s.given(0, "w-1").placed(10, history.Cancel, nil).submit(50, "c-1", "k-1").acked(90, 1)
	}, nil},
	{"13: an agent that never looks is guilty after attempt_timeout and reaction", func(s *story) *story {
		return s.given(0, "w-1").placed(10, history.Cancel, nil).submit(600, "c-1", "k-1")
	}, []string{"submission-after-cancel"}},
	{"13: an agent that was told is guilty at once", func(s *story) *story {
		return s.given(0, "w-1").placed(10, history.Cancel, nil).checksAs(20, history.Control{Valid: true, Cancelled: true}).submit(25, "c-1", "k-1")
	}, []string{"submission-after-cancel"}},
	{"15: a revision beside an accepted original", func(s *story) *story {
		two := version(2)
		send := two
		send.Key = "k-2"
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(3, "c-1", 201, record("a-1", "k-1", "pending")).
			ends(60, "c-1", "client fin").placed(100, history.Revise, &two).acked(110, 1).call(400, "c-2", "approval.submit", send)
	}, []string{"revised-beside-original"}},
	{"16: a late approval after the escalation is claimed and amended, and nothing is bought", func(s *story) *story {
		late := record("a-1", "k-1", "approved")
		return s.asked().escalates(3050, "c-8", "e-1", briefed(1)).result(3060, "escalated").created(4000, "c-1", "a-1").
			placed(4000, history.Event, &late).acked(4010, 1).claims(4200, "tracking", "a-1").
			escalates(4210, "c-9", "e-1", history.Brief{Key: "k-1", FirstSentAt: "x", Queries: briefed(1).Queries, Unknowns: []string{}})
	}, nil},
	{"16: buying before a decision is not lawful", func(s *story) *story {
		late := record("a-1", "k-1", "approved")
		return s.asked().escalates(3050, "c-8", "e-1", briefed(1)).result(3060, "escalated").created(4000, "c-1", "a-1").
			placed(4000, history.Event, &late).acked(4010, 1).
			call(4300, "c-9", "purchase.buy", history.Facts{Key: "k-9", Approval: "a-1", Content: "content-1"})
	}, []string{"dependent-while-in-doubt"}},
	{"17: sending before the wait that was asked for is over", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 429, history.Facts{Seq: 500}).ends(50, "c-1", "client fin").
			checks(60).submit(100, "c-2", "k-1")
	}, []string{"retry-after-ignored"}},
	{"17: the same identifier after the wait is a first send again", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 429, history.Facts{Seq: 50}).ends(50, "c-1", "client fin").
			submit(100, "c-2", "k-1")
	}, nil},
	{"18: a queue number is not acceptance", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 202, history.Facts{Queue: "q-1"}).ends(50, "c-1", "client fin").
			claims(51, "tracking", "")
	}, []string{"acceptance-assumed"}},
	{"18: a replay of a queued request inside its protection is lawful", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").reply(1, "c-1", 202, history.Facts{Queue: "q-1"}).ends(50, "c-1", "client fin").
			checks(51).submit(60, "c-2", "k-1")
	}, nil},
	{"19: a transport resend under protection is an attempt and nothing more", func(s *story) *story {
		return s.reusedThenReset(false)
	}, nil},
	{"19: without protection it is a violation", func(s *story) *story {
		return s.without(true).reusedThenReset(true)
	}, []string{"resubmit-without-basis"}},
	{"21: waits of full jitter above half a step are lawful", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(10, "c-1", "harness rst").
			checks(40).submit(50, "c-2", "k-1").ends(55, "c-2", "harness rst").checks(80).submit(81, "c-3", "k-1")
	}, nil},
	{"21: an attempt without a wait is not", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(10, "c-1", "harness rst").checks(11).submit(12, "c-2", "k-1")
	}, []string{"backoff-flat"}},
	{"23: what was read and not stored dies with the process", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(3, "c-1", 201, record("a-1", "k-1", "pending")).
			kill(20).ends(20, "c-1", "client fin").given(30, "w-2").checks(31).submit(40, "c-2", "k-1")
	}, nil},
	{"23: what was claimed is remembered", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").reply(3, "c-1", 201, record("a-1", "k-1", "pending")).
			claims(10, "tracking", "a-1").kill(20).ends(20, "c-1", "client fin").given(30, "w-2").checks(31).submit(40, "c-2", "k-1")
	}, []string{"resubmit-after-acceptance"}},
	{"23: a new identifier never is lawful", func(s *story) *story {
		return s.given(0, "w-1").submit(1, "c-1", "k-1").created(2, "c-1", "a-1").
			kill(20).ends(20, "c-1", "client fin").given(30, "w-2").checks(31).submit(40, "c-2", "k-2")
	}, []string{"identifier-changed"}},
	{"24: a kill before the first byte leaves the next process in doubt, if it likes", func(s *story) *story {
		return s.given(0, "w-1").kill(5).given(30, "w-2").
			call(40, "c-2", "approval.query", history.Facts{Key: "k-1"}).reply(41, "c-2", 200, listed()).ends(60, "c-2", "client fin").
			escalates(3010, "c-3", "e-1", briefed(1)).result(3020, "escalated")
	}, nil},
	{"24: or lets it send for the first time", func(s *story) *story {
		return s.given(0, "w-1").kill(5).given(30, "w-2").submit(40, "c-1", "k-1")
	}, nil},
	{"a reply that arrives long after the client's end does not prolong the attempt", func(s *story) *story {
		return s.given(0, "w-1").submit(0, "c-1", "k-1").created(1, "c-1", "a-1").ends(300, "c-1", "client fin").
			checks(310).submit(330, "c-2", "k-1").ends(340, "c-2", "harness rst").reply(1900, "c-1", 201, record("a-1", "k-1", "pending"))
	}, nil},
	{"an escalation before the period is over abandons the verification", func(s *story) *story {
		return s.asked().escalates(1000, "c-8", "e-1", briefed(1)).result(1010, "escalated")
	}, []string{"verification-abandoned"}},
	{"an escalation long after it overruns", func(s *story) *story {
		return s.asked().escalates(5000, "c-8", "e-1", briefed(1)).result(5010, "escalated")
	}, []string{"verification-overrun"}},
	{"a cancellation does not undo a request that is in doubt", func(s *story) *story {
		return s.asked().placed(600, history.Cancel, nil).acked(610, 1).result(800, "cancelled")
	}, []string{"receipt-dropped"}},
}

// tale is a small history and what the judge must find in it.
type tale struct {
	name  string
	story func(*story) *story
	want  []string // rules that fire, besides never-settled unless that is the first
}

func TestAwkwardHistories(t *testing.T) { judgeAll(t, awkward) }

// tales are all that are told.
func tales() []tale {
	return slices.Concat(awkward, awkwardPartial, awkwardAgents, duties, awkwardWorkers, awkwardEvidence, awkwardLimits, byRule, awkwardQuestions, byQuestionRule)
}

func judgeAll(t *testing.T, tales []tale) {
	for _, c := range tales {
		t.Run(c.name, func(t *testing.T) {
			v := c.story(tell(t)).judged()
			got := []string{}
			for _, name := range found(v) {
				if name != "never-settled" || len(c.want) > 0 && c.want[0] == "never-settled" {
					got = append(got, name)
				}
			}
			gomega.NewWithT(t).Expect(got).To(gomega.ConsistOf(c.want), "findings: %+v", v.Findings)
		})
	}
}

// asked is a lost first send and one empty query, without protection.
func (s *story) asked() *story {
	return s.without(true).given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin").
		call(410, "c-2", "approval.query", history.Facts{Key: "k-1"}).reply(411, "c-2", 200, listed()).ends(430, "c-2", "client fin").
		claims(431, "pending_verification", "")
}

func briefed(queries int) history.Brief {
	return history.Brief{Key: "k-1", FirstSentAt: "x", Queries: []history.QueryCount{{Operation: "approval.query", Outcome: "empty", Count: queries}}}
}

// fenced is a lost first send whose identifier was voided.
func (s *story) fenced() *story {
	p := s.setup.Guarantees["approval.submit"]
	p.Void = true
	s.setup.Guarantees["approval.submit"] = p
	return s.given(0, "w-1").submit(0, "c-1", "k-1").ends(400, "c-1", "client fin").
		call(410, "c-2", "approval.void", history.Facts{Key: "k-1"}).ledger(411, "c-2", history.KeyFenced, history.Facts{Key: "k-1"}).
		reply(412, "c-2", 200, history.Facts{Key: "k-1", Status: "void", Final: true}).ends(425, "c-2", "client fin")
}

// reusedThenReset is a submission on a reused connection that breaks before a
// reply byte, and the same bytes again a millisecond later.
func (s *story) reusedThenReset(bool) *story {
	return s.given(0, "w-1").
		call(1, "q@conn", "approval.query", history.Facts{Key: "k-0"}).reply(2, "q@conn", 200, listed()).
		submit(10, "c-1@conn", "k-1").created(11, "c-1@conn", "a-1").ends(12, "c-1@conn", "harness rst").submit(13, "c-2", "k-1")
}
