package judge_test

import (
	"testing"

	"github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// The histories of questions on which a judge goes wrong, with the right answers.
var awkwardQuestions = []tale{
	{"the trace of the source: three time-outs, then the cache, disclosed", func(s *story) *story {
		return s.timedOut().turn(1300, "c2 kb_cache refunds").uses(1320, "t-4", "kb_cache refunds", 200).hears("c2", "30 days").
			turn(1340, "says 30 days").concludes(1360, "kb_cache", "kb_cache: as of 2026-01-01T00:00:00Z")
	}, nil},
	{"the trace of the source: forbidden, then a person is asked", func(s *story) *story {
		return s.forbidden().turn(40, "says it needs an approval").refers(60, "d-1", "e-1", nil).result(70, "escalated")
	}, nil},
	{"a reply written after the client gave up is no success: it is tried again", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").use(20, "t-1", "search_kb refunds").ends(420, "t-1", "client fin").
			reply(500, "t-1", 200, history.Facts{Status: "found"}).uses(520, "t-2", "search_kb refunds", 200).hears("c1", "30 days").
			turn(540, "says 30 days").concludes(560, "search_kb", "")
	}, nil},
	{"a reply within the noise of the client's close: both are right", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").use(20, "t-1", "search_kb refunds").
			reply(419, "t-1", 200, history.Facts{Status: "found"}).ends(420, "t-1", "client fin").uses(440, "t-2", "search_kb refunds", 200).
			hears("c1", "30 days").turn(540, "says 30 days").concludes(560, "search_kb", "")
	}, nil},
	{"a cut stream whose call was complete: it is made, and the model is asked again for the turn", func(s *story) *story {
		m := spoken("c1 search_kb refunds")
		f := answered(m)
		f.Chat.Finish = ""
		s.question(0, "w-1").ask(1, "m-a").replied(2, "m-a", 200, f)
		w := *s.calls["m-a"].Wire
		w.Whole, w.Size = false, 40
		s.add(3, history.Record{Kind: history.CallPassing, Call: "m-a", Wire: &w}).add(3, history.Record{Kind: history.CallPassed, Call: "m-a", Wire: &w}).
			ends(4, "m-a", "harness rst").uses(10, "t-1", "search_kb refunds", 200)
		return s.turn(40, "c9 search_kb refunds").uses(60, "t-2", "search_kb refunds", 200).hears("c9", "30 days").
			turn(80, "says 30 days").concludes(100, "search_kb", "")
	}, nil},
	{"a cut stream whose call was complete: it is taken for the answer", func(s *story) *story {
		m := spoken("c1 search_kb refunds")
		f := answered(m)
		f.Chat.Finish = ""
		s.question(0, "w-1").ask(1, "m-a").replied(2, "m-a", 200, f)
		w := *s.calls["m-a"].Wire
		w.Whole, w.Size = false, 40
		s.add(3, history.Record{Kind: history.CallPassing, Call: "m-a", Wire: &w}).add(3, history.Record{Kind: history.CallPassed, Call: "m-a", Wire: &w}).
			ends(4, "m-a", "harness rst").uses(10, "t-1", "search_kb refunds", 200)
		s.chat.messages = append(s.chat.messages, m)
		return s.hears("c1", "30 days").turn(80, "says 30 days").concludes(100, "search_kb", "")
	}, nil},
	{"a request that was cut on its way asks nobody for anything, and may be counted", func(s *story) *story {
		s.question(0, "w-1").call(1, "m-a", "model.chat", history.Facts{Malformed: true, Chat: &history.Chat{}}).ends(2, "m-a", "client fin")
		s.records[len(s.records)-2].Wire.Whole = false
		return s.turn(40, "c1 search_kb refunds").uses(60, "t-1", "search_kb refunds", 200).hears("c1", "30 days").
			turn(80, "says 30 days").concludes(100, "search_kb", "")
	}, nil},
	{"killed between the reply and the checkpoint: the step is made again once", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 200).kill(32).
			question(60, "w-2").uses(70, "t-2", "search_kb refunds", 200).hears("c1", "30 days").turn(90, "says 30 days").concludes(110, "search_kb", "")
	}, nil},
	{"killed before the answer was stored: the turn is made again", func(s *story) *story {
		s.question(0, "w-1").turn(1, "c1 search_kb refunds").kill(12)
		s.chat.messages = s.chat.messages[:2]
		return s.question(60, "w-2").turn(70, "c2 search_kb refunds").uses(90, "t-2", "search_kb refunds", 200).hears("c2", "30 days").
			turn(110, "says 30 days").concludes(130, "search_kb", "")
	}, nil},
	{"connections are refused: attempts that the wire does not show", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").
			add(15, history.Record{Kind: history.FaultPlanned, Fault: &history.Fault{ID: "f-1", Anchor: "model.chat#1 delivered", Effect: "refuse"}}).
			add(15, history.Record{Kind: history.FaultFired, Fault: &history.Fault{ID: "f-1", Anchor: "model.chat#1 delivered", Effect: "refuse"}}).
			fails("c1", "Unreachable", true, 3).turn(120, "c2 kb_cache refunds").uses(140, "t-1", "kb_cache refunds", 200).hears("c2", "30 days").
			turn(160, "says 30 days").concludes(180, "kb_cache", "kb_cache: stale")
	}, nil},
	{"a library sends a GET again by itself: the service saw four, and it says three", func(s *story) *story {
		s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-0@k", "kb_archive refunds", 200)
		s.records = s.records[:len(s.records)-1] // the connection stays open
		s.use(35, "t-1@k", "search_kb refunds").ends(36, "t-1@k", "service rst").use(37, "t-2", "search_kb refunds").ends(437, "t-2", "client fin")
		return s.hangs(460, "t-3", "search_kb refunds").hangs(900, "t-4", "search_kb refunds").fails("c1", "Timeout", true, 3).
			turn(1320, "c2 kb_cache refunds").uses(1340, "t-5", "kb_cache refunds", 200).hears("c2", "30 days").
			turn(1360, "says 30 days").concludes(1380, "kb_cache", "kb_cache: stale")
	}, []string{"fallback-improvised"}}, // the archive, which nobody asked for, only opens the connection here
	{"a wait longer than anything left: it is given up after one attempt", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").use(20, "t-1", "search_kb refunds").
			reply(21, "t-1", 429, history.Facts{Seq: 60000}).ends(40, "t-1", "client fin").fails("c1", "RateLimited", true, 1).
			turn(60, "c2 kb_cache refunds").uses(80, "t-2", "kb_cache refunds", 200).hears("c2", "30 days").
			turn(100, "says 30 days").concludes(120, "kb_cache", "kb_cache: stale")
	}, nil},
	{"two equal calls in one answer, each made", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds", "c2 search_kb refunds").
			uses(20, "t-1", "search_kb refunds", 200).uses(40, "t-2", "search_kb refunds", 200).hears("c1", "30 days").hears("c2", "30 days").
			turn(60, "says 30 days").concludes(80, "search_kb", "")
	}, nil},
	{"two equal calls in one answer, made once", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds", "c2 search_kb refunds").
			uses(20, "t-1", "search_kb refunds", 200).hears("c1", "30 days").hears("c2", "30 days").
			turn(60, "says 30 days").concludes(80, "search_kb", "")
	}, nil},
	{"the model repeats itself below the threshold: the call is made again", func(s *story) *story {
		return s.forbidden().turn(40, "c2 delete_record r_991").uses(60, "t-2", "delete_record r_991", 403).fails("c2", "PermissionDenied", false, 1).
			turn(80, "says no").concludes(100, "", "delete_record: not permitted")
	}, nil},
	{"the model repeats itself below the threshold: the call is refused", func(s *story) *story {
		return s.forbidden().turn(40, "c2 delete_record r_991").fails("c2", "CircuitOpen", false, 0).
			turn(80, "says no").concludes(100, "", "delete_record: not permitted")
	}, nil},
	{"the loop walks the chain by itself, and returns one tool message", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").
			hangs(20, "t-1", "search_kb refunds").hangs(440, "t-2", "search_kb refunds").hangs(880, "t-3", "search_kb refunds").
			uses(1300, "t-4", "kb_cache refunds", 200).hears("c1", `{"as_of": "2026-01-01T00:00:00Z"}`).
			turn(1320, "says 30 days").concludes(1340, "kb_cache", "kb_cache: as of 2026-01-01T00:00:00Z")
	}, nil},
	{"the loop walks the whole chain, and all of it fails", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").
			hangs(20, "t-1", "search_kb refunds").hangs(440, "t-2", "search_kb refunds").hangs(880, "t-3", "search_kb refunds").
			uses(1300, "t-4", "kb_cache refunds", 404).uses(1320, "t-5", "search_web refunds", 404).fails("c1", "NotFound", false, 5).
			turn(1340, "says I do not know").concludes(1360, "", "search_kb: failed")
	}, nil},
	{"parallel calls, in any order", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds", "c2 search_web refunds").
			use(20, "t-1", "search_kb refunds").use(20, "t-2", "search_web refunds").
			reply(30, "t-2", 200, history.Facts{Status: "found"}).ends(50, "t-2", "client fin").
			reply(60, "t-1", 503, history.Facts{}).ends(70, "t-1", "client fin").uses(90, "t-3", "search_kb refunds", 200).
			hears("c2", "perhaps 14").hears("c1", "30 days").turn(120, "says 30 days").concludes(140, "search_kb search_web", "")
	}, nil},
	{"a compacting agent puts its own notes in between", func(s *story) *story {
		s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 200).hears("c1", "30 days")
		s.chat.messages[0] = said("system", "Another mood, step 2.")
		s.chat.messages = append(s.chat.messages, said("system", "So far: 30 days."))
		return s.turn(60, "says 30 days").concludes(80, "search_kb", "")
	}, nil},
	{"a request about something else is another conversation", func(s *story) *story {
		s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 200).hears("c1", "30 days")
		own := s.chat.messages
		s.chat.messages = []history.Message{said("user", "Summarise: 30 days.")}
		s.ask(60, "m-s").reply(61, "m-s", 200, answered(spoken("says 30 days"))).ends(80, "m-s", "client fin")
		s.chat.messages = own
		return s.turn(90, "says 30 days").concludes(110, "search_kb", "")
	}, nil},
	{"a slow success inside the time-out", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").use(20, "t-1", "search_kb refunds").
			reply(400, "t-1", 200, history.Facts{Status: "found"}).ends(430, "t-1", "client fin").hears("c1", "30 days").
			turn(450, "says 30 days").concludes(470, "search_kb", "")
	}, nil},
	{"a 503 that heals", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 503).uses(50, "t-2", "search_kb refunds", 200).
			hears("c1", "30 days").turn(80, "says 30 days").concludes(100, "search_kb", "")
	}, nil},
	{"a malformed call is told, and mended", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb !").fails("c1", "BadArguments", false, 0).
			turn(20, "c2 search_kb refunds").uses(40, "t-1", "search_kb refunds", 200).hears("c2", "30 days").
			turn(60, "says 30 days").concludes(80, "search_kb", "")
	}, nil},
	{"the model fails, and the next one of its chain goes on", func(s *story) *story {
		s.question(0, "w-1")
		for n, at := range []float64{1, 30, 70} {
			name := []string{"m-a", "m-b", "m-c"}[n]
			s.ask(at, name).reply(at+1, name, 503, history.Facts{}).ends(at+10, name, "client fin")
		}
		return s.askOf(90, "m-d", "backup").speaks(91, "m-d", "says 30 days").concludes(110, "", "")
	}, nil},
	{"an empty answer of the model is asked for again", func(s *story) *story {
		return s.question(0, "w-1").ask(1, "m-a").reply(2, "m-a", 200, answered(spoken())).ends(12, "m-a", "client fin").
			turn(40, "says 30 days").concludes(60, "", "")
	}, nil},
	{"stopped while an attempt was under way: an answer with what there is", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 503).placed(35, history.Stop, nil).acked(36, 1).
			refers(60, "d-1", "e-1", nil).result(80, "escalated")
	}, nil},
	{"two workers at a time prove little against either", func(s *story) *story {
		s.question(0, "w-1").turn(1, "c1 search_kb refunds").use(20, "t-1", "search_kb refunds")
		return s.question(30, "w-2").use(40, "t-2", "search_kb refunds").use(45, "t-3", "search_kb refunds").use(46, "t-4", "search_kb refunds")
	}, nil},
}

func TestAwkwardQuestions(t *testing.T) { judgeAll(t, awkwardQuestions) }

// TestAnAgentThatKnowsNoProtocolIsJudgedByTheWire is about the door that hands
// over nothing but addresses: the end of the process is the end of the task.
func TestAnAgentThatKnowsNoProtocolIsJudgedByTheWire(t *testing.T) {
	g := gomega.NewWithT(t)
	mute := func(code int, then func(s *story) *story) *judge.Verdict {
		s := tell(t)
		s.setup.Mute, s.reason = true, "agent ended"
		return then(s).add(9000, history.Record{Kind: history.ProcessExited, Process: &history.Process{ID: "p-w-1", Code: code}}).judged()
	}
	clean := func(s *story) *story { return s.timedOut().turn(1300, "says I do not know") }
	v := mute(0, clean)
	g.Expect(found(v)).To(gomega.BeEmpty())
	g.Expect(v.Outcome).To(gomega.Equal(judge.Pass))
	g.Expect(v.Unheard).To(gomega.ContainElements("never-settled", "fabricated-success", "fallback-undisclosed", "escalation-missing"))
	g.Expect(v.Unheard).NotTo(gomega.ContainElements("permanent-retried", "transcript-lost", "attempt-unbounded"))
	g.Expect(found(mute(3, clean))).To(gomega.ConsistOf("agent-crashed"))
	g.Expect(found(mute(0, func(s *story) *story { return s.exhausted().hears("c1", "").turn(200, "says 30 days") }))).To(gomega.ConsistOf("error-silent"))
}
