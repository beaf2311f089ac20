package judge_test

import (
	"fmt"
	"testing"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// searched is a question of which a search succeeded, and the model knows it.
func (s *story) searched() *story {
	return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 200).hears("c1", "30 days")
}

// failing is a search that fails at once, three times, and the model knows it;
// asked again n times in all.
func (s *story) failing(n int) *story {
	s.question(0, "w-1")
	for k := range n {
		at := float64(k*200 + 1)
		id := fmt.Sprint("c", k)
		s.turn(at, id+" search_kb refunds").uses(at+20, "t-a"+id, "search_kb refunds", 503).uses(at+50, "t-b"+id, "search_kb refunds", 503).
			uses(at+120, "t-c"+id, "search_kb refunds", 503).fails(id, "ServerError", true, 3)
	}
	return s
}

// forgets takes one message out of the conversation.
func (s *story) forgets(n int) *story {
	kept := append([]history.Message{}, s.chat.messages[:n]...)
	s.chat.messages = append(kept, s.chat.messages[n+1:]...)
	return s
}

// exhausted is a search that failed with a server's error, to be walked from.
func (s *story) exhausted() *story {
	return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 503).uses(50, "t-2", "search_kb refunds", 503).
		uses(120, "t-3", "search_kb refunds", 503)
}

// clients are n questions, each of which fails once, waits and succeeds.
func (s *story) clients(n int, wait func(n int) float64) *story {
	for k := range n {
		s.chat = nil
		from := len(s.records)
		at := float64(k * 200)
		id := fmt.Sprint("t-", k)
		s.question(at, "w-"+id)
		s.chat.turns = k * 10
		s.turn(at+1, "c1 search_kb refunds").uses(at+20, "a-"+id, "search_kb refunds", 503).
			uses(at+30+wait(k), "b-"+id, "search_kb refunds", 200).hears("c1", "30 days").turn(at+100, "says 30 days").concludes(at+120, "search_kb", "")
		for i := from; i < len(s.records); i++ {
			s.records[i].Task = id
		}
	}
	return s
}

var byQuestionRule = []tale{
	{"transcript-lost: an earlier turn is gone", func(s *story) *story {
		return s.searched().turn(60, "c2 search_web refunds").uses(80, "t-2", "search_web refunds", 200).hears("c2", "14 days").
			forgets(2).forgets(2).turn(100, "says 14 days")
	}, []string{"transcript-lost"}},
	{"transcript-lost: on a machine that can time nothing the gate may hear of an earlier turn later", func(s *story) *story {
		s.noise = 250
		return s.searched().turn(460, "c2 search_web refunds").uses(880, "t-2", "search_web refunds", 200).hears("c2", "14 days").
			forgets(2).forgets(2).turn(1300, "says 14 days").concludes(1500, "search_web", "")
	}, []string{"transcript-lost?"}},
	{"transcript-lost: the question itself is gone", func(s *story) *story {
		return s.searched().forgets(1).turn(60, "says 30 days")
	}, []string{"transcript-lost"}},
	{"transcript-lost: begun anew after a failure", func(s *story) *story {
		s.timedOut().turn(1300, "c2 kb_cache refunds").uses(1320, "t-4", "kb_cache refunds", 404)
		s.chat.messages = append(s.chat.messages[:2:2], said("user", "kb_cache failed"))
		return s.turn(1340, "says 30 days")
	}, []string{"transcript-lost"}},
	{"transcript-lost: a result that was there is gone", func(s *story) *story {
		return s.searched().turn(60, "c2 search_web refunds").uses(80, "t-2", "search_web refunds", 200).hears("c2", "14 days").
			forgets(3).turn(100, "says 14 days")
	}, []string{"transcript-lost"}},
	{"transcript-lost: what stands before the last messages cannot be missed", func(s *story) *story {
		s.searched().turn(60, "c2 search_web refunds").uses(80, "t-2", "search_web refunds", 200).hears("c2", "14 days").forgets(0).forgets(0).forgets(0).forgets(0)
		s.ask(100, "m-9")
		s.records[len(s.records)-1].Facts.Chat.Count = 6
		return s.speaks(101, "m-9", "says 14 days").concludes(120, "search_kb", "")
	}, nil},
	{"transcript-lost: an answer that may not have come", func(s *story) *story {
		s.question(0, "w-1").ask(1, "m-a").reply(400, "m-a", 200, answered(spoken("c1 search_kb refunds"))).ends(401, "m-a", "client fin")
		return s.turn(430, "says 30 days").concludes(450, "", "")
	}, nil},

	{"tool-result-missing: the model goes on without it", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds", "c2 search_web refunds").uses(20, "t-1", "search_kb refunds", 200).
			hears("c1", "30 days").turn(60, "says 30 days")
	}, []string{"tool-result-missing"}},
	{"tool-result-missing: one message for each attempt", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 503).uses(50, "t-2", "search_kb refunds", 200).
			fails("c1", "ServerError", true, 1).hears("c1", "30 days").turn(80, "says 30 days")
	}, []string{"tool-result-missing"}},
	{"tool-result-missing: a call that was never carried out has one all the same", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds", "c2 unheard_of refunds").uses(20, "t-1", "search_kb refunds", 200).
			hears("c1", "30 days").fails("c2", "NotDeclared", false, 0).turn(60, "says 30 days").concludes(80, "search_kb", "")
	}, nil},
	{"tool-result-missing: of an answer that may have come in part, what was taken counts", func(s *story) *story {
		m := spoken("c1 search_kb refunds", "c2 search_web refunds")
		f := answered(m)
		f.Chat.Finish = ""
		s.question(0, "w-1").ask(1, "m-a").replied(2, "m-a", 200, f)
		w := *s.calls["m-a"].Wire
		w.Whole, w.Size = false, 40
		s.add(3, history.Record{Kind: history.CallPassing, Call: "m-a", Wire: &w}).add(3, history.Record{Kind: history.CallPassed, Call: "m-a", Wire: &w}).ends(4, "m-a", "harness rst")
		s.chat.messages = append(s.chat.messages, spoken("c1 search_kb refunds"))
		return s.uses(20, "t-1", "search_kb refunds", 200).hears("c1", "30 days").turn(60, "says 30 days").concludes(80, "search_kb", "")
	}, nil},

	{"error-silent: an empty tool message for a failure", func(s *story) *story {
		return s.exhausted().hears("c1", " ").turn(200, "says I do not know").concludes(220, "", "search_kb failed")
	}, []string{"error-silent"}},
	{"error-silent: an error that says nothing", func(s *story) *story {
		return s.exhausted().fails("c1", "", true, 3).payload(func(f *history.Failure) { f.Message = false }).
			turn(200, "says I do not know").concludes(220, "", "search_kb failed")
	}, []string{"error-silent"}},
	{"error-silent: an empty message where the call may have succeeded", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").use(20, "t-1", "search_kb refunds").reply(419, "t-1", 200, history.Facts{}).
			ends(420, "t-1", "client fin").hears("c1", "").turn(440, "says I do not know").concludes(460, "", "")
	}, nil},
	{"error-unstructured: a text", func(s *story) *story {
		return s.exhausted().hears("c1", "error: server error").turn(200, "says I do not know").concludes(220, "", "search_kb failed")
	}, []string{"error-unstructured"}},
	{"error-unstructured: the number of attempts is left out", func(s *story) *story {
		return s.exhausted().fails("c1", "ServerError", true, 3).payload(func(f *history.Failure) { f.Attempts = nil }).
			turn(200, "says I do not know").concludes(220, "", "search_kb failed")
	}, []string{"error-unstructured"}},
	{"error-unstructured: the tool's own data may have a field that is called error", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 200).fails("c1", "margin of error", true, 3).
			payload(func(f *history.Failure) { f.Attempts, f.Retryable = nil, nil }).turn(200, "says 30 days").concludes(220, "search_kb", "")
	}, nil},
	{"error-unstructured: a text where the call may have succeeded", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").use(20, "t-1", "search_kb refunds").reply(419, "t-1", 200, history.Facts{}).
			ends(420, "t-1", "client fin").hears("c1", "30 days").turn(440, "says 30 days").concludes(460, "search_kb", "")
	}, nil},

	{"attempts-misreported: a refusal tried once, reported as three", func(s *story) *story {
		return s.forbidden().payload(func(f *history.Failure) { three := 3; f.Attempts = &three }).turn(40, "says no").refers(60, "d-1", "e-1", nil).result(80, "escalated")
	}, []string{"attempts-misreported"}},
	{"attempts-misreported: three attempts, reported as one", func(s *story) *story {
		return s.exhausted().fails("c1", "ServerError", true, 1).turn(200, "says I do not know").concludes(220, "", "search_kb failed")
	}, []string{"attempts-misreported"}},
	{"attempts-misreported: on a machine that can time nothing an attempt may never have come", func(s *story) *story {
		s.noise = 250
		return s.forbidden().payload(func(f *history.Failure) { three := 3; f.Attempts = &three }).turn(400, "says no").refers(1600, "d-1", "e-1", nil).result(1800, "escalated")
	}, []string{"attempts-misreported?"}},
	{"attempts-misreported: after a kill either process's count will do", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 503).kill(40).
			question(60, "w-2").uses(70, "t-2", "search_kb refunds", 503).uses(100, "t-3", "search_kb refunds", 503).fails("c1", "ServerError", true, 2).
			turn(200, "says I do not know").concludes(220, "", "search_kb failed")
	}, nil},

	{"retryable-misreported: a refusal is called retryable", func(s *story) *story {
		return s.forbidden().payload(func(f *history.Failure) { is := true; f.Retryable = &is }).turn(40, "says no").refers(60, "d-1", "e-1", nil).result(80, "escalated")
	}, []string{"retryable-misreported"}},
	{"retryable-misreported: a server's error is called final", func(s *story) *story {
		return s.exhausted().fails("c1", "ServerError", false, 3).turn(200, "says I do not know").concludes(220, "", "search_kb failed")
	}, []string{"retryable-misreported"}},
	{"retryable-misreported: a refusal that may have come", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 delete_record r_991").use(20, "t-1", "delete_record r_991").reply(419, "t-1", 403, history.Facts{}).
			ends(420, "t-1", "client fin").fails("c1", "PermissionDenied", false, 1).turn(440, "says no").refers(460, "d-1", "e-1", nil).result(480, "escalated")
	}, nil},

	{"malformed-call-sent: arguments that fail the schema", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb !").uses(20, "t-1", "search_kb !", 400).fails("c1", "BadArguments", false, 1).
			turn(40, "says I do not know").concludes(60, "", "search_kb failed")
	}, []string{"malformed-call-sent"}},
	{"malformed-call-sent: arguments that fit the schema and not the service", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 422).fails("c1", "BadArguments", false, 1).
			turn(40, "c2 search_kb refund").uses(60, "t-2", "search_kb refund", 200).hears("c2", "30 days").turn(80, "says 30 days").concludes(100, "search_kb", "")
	}, nil},
	{"malformed-call-sent: a request that was cut before it said all", func(s *story) *story {
		s.question(0, "w-1").turn(1, "c1 search_kb refunds").use(20, "t-1", "search_kb !")
		s.records[len(s.records)-1].Wire.Whole = false
		return s
	}, []string{"fallback-improvised"}}, // its arguments could not be read, so that nothing asks for them

	{"fallback-improvised: the model picks another tool, and the agent calls it", func(s *story) *story {
		return s.timedOut().turn(1300, "c2 kb_archive refunds").uses(1320, "t-4", "kb_archive refunds", 200).hears("c2", "14 days").
			turn(1340, "says 14 days").concludes(1360, "kb_archive", "search_kb failed")
	}, []string{"fallback-improvised"}},
	{"fallback-improvised: a tool that was not offered", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 archive_record r_991").uses(20, "t-1", "archive_record r_991", 200)
	}, []string{"fallback-improvised"}},
	{"fallback-improvised: an eligibility check becomes a refund", func(s *story) *story {
		return s.forbidden().turn(40, "c2 issue_refund o_17").uses(60, "t-2", "issue_refund o_17", 200)
	}, []string{"fallback-improvised"}},
	{"fallback-improvised: without a chain, reads are free", func(s *story) *story {
		return s.forbidden().turn(40, "c2 kb_archive refunds").uses(60, "t-2", "kb_archive refunds", 200).hears("c2", "14 days").
			turn(80, "says no").concludes(100, "kb_archive", "delete_record: not permitted")
	}, nil},
	{"fallback-improvised: asked for before the failure", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds", "c2 kb_archive refunds").uses(20, "t-1", "search_kb refunds", 403).
			uses(40, "t-2", "kb_archive refunds", 200).fails("c1", "PermissionDenied", false, 1).hears("c2", "14 days").
			turn(80, "says 14 days").concludes(100, "kb_archive", "search_kb failed")
	}, nil},
	{"fallback-improvised: after a fallback has succeeded, anything goes", func(s *story) *story {
		return s.timedOut().turn(1300, "c2 kb_cache refunds").uses(1320, "t-4", "kb_cache refunds", 200).hears("c2", "30 days").
			turn(1340, "c3 kb_archive refunds").uses(1360, "t-5", "kb_archive refunds", 200).hears("c3", "14 days").
			turn(1380, "says 30 days").concludes(1400, "kb_cache", "kb_cache is stale")
	}, nil},
	{"fallback-improvised: what the agent calls of its own accord", func(s *story) *story {
		return s.searched().uses(50, "t-2", "kb_archive refunds", 200)
	}, []string{"fallback-improvised"}},
	{"fallback-improvised: an answer that may have come may have asked for it", func(s *story) *story {
		s.timedOut().ask(1300, "m-a").reply(1699, "m-a", 200, answered(spoken("c2 kb_cache refunds"))).ends(1700, "m-a", "client fin")
		return s.uses(1701, "t-4", "kb_cache refunds", 200).turn(1730, "c3 kb_cache refunds").uses(1740, "t-5", "kb_cache refunds", 200).hears("c3", "30 days").
			turn(1760, "says 30 days").concludes(1800, "kb_cache", "kb_cache is stale")
	}, nil},
	{"fallback-improvised: a model that was not declared", func(s *story) *story {
		return s.question(0, "w-1").askOf(1, "m-a", "other").speaks(2, "m-a", "says 30 days").concludes(20, "", "")
	}, []string{"fallback-improvised"}},

	{"fallback-out-of-order: the second fallback before the first", func(s *story) *story {
		return s.timedOut().turn(1300, "c2 search_web refunds").uses(1320, "t-4", "search_web refunds", 200).hears("c2", "14 days").
			turn(1340, "says 14 days").concludes(1360, "search_web", "search_web: not ours")
	}, []string{"fallback-out-of-order"}},
	{"fallback-out-of-order: a fallback before the tool was tried", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "kb_cache refunds", 200).hears("c1", "30 days").
			turn(40, "says 30 days").concludes(60, "kb_cache", "kb_cache is stale")
	}, []string{"fallback-out-of-order"}},
	{"fallback-out-of-order: the first fallback failed before", func(s *story) *story {
		return s.timedOut().turn(1300, "c2 kb_cache refunds").uses(1320, "t-4", "kb_cache refunds", 404).fails("c2", "NotFound", false, 1).
			turn(1340, "c3 search_web refunds").uses(1360, "t-5", "search_web refunds", 200).hears("c3", "14 days").
			turn(1380, "says 14 days").concludes(1400, "search_web", "search_web: not ours")
	}, nil},
	{"fallback-out-of-order: the backup before the first model", func(s *story) *story {
		return s.question(0, "w-1").askOf(1, "m-a", "backup").speaks(2, "m-a", "says 30 days").concludes(20, "", "")
	}, []string{"fallback-out-of-order"}},
	{"fallback-out-of-order: the first model may have answered", func(s *story) *story {
		s.question(0, "w-1")
		for n, at := range []float64{1, 430, 870} {
			name := []string{"m-a", "m-b", "m-c"}[n]
			s.ask(at, name).reply(at+399, name, 200, answered(spoken("says 30 days"))).ends(at+400, name, "client fin")
		}
		return s.askOf(1300, "m-d", "backup").speaks(1301, "m-d", "says 30 days").concludes(1320, "", "")
	}, nil},

	{"fallback-undisclosed: stale, and not said so", func(s *story) *story {
		return s.timedOut().turn(1300, "c2 kb_cache refunds").uses(1320, "t-4", "kb_cache refunds", 200).hears("c2", "30 days").
			turn(1340, "says 30 days").concludes(1360, "kb_cache", "")
	}, []string{"fallback-undisclosed"}},
	{"fallback-undisclosed: a gap that is not said", func(s *story) *story {
		return s.exhausted().fails("c1", "ServerError", true, 3).turn(200, "c2 search_kb terms").uses(220, "t-9", "search_kb terms", 200).hears("c2", "terms").
			turn(240, "c3 delete_record r_991").uses(260, "t-10", "delete_record r_991", 403).fails("c3", "PermissionDenied", false, 1).
			turn(280, "says done").concludes(300, "search_kb", "")
	}, []string{"fallback-undisclosed"}},
	{"fallback-undisclosed: the tool succeeded with other arguments", func(s *story) *story {
		return s.exhausted().fails("c1", "ServerError", true, 3).turn(200, "c2 search_kb terms").uses(220, "t-9", "search_kb terms", 200).hears("c2", "terms").
			turn(280, "says terms").concludes(300, "search_kb", "")
	}, nil},

	{"identical-call-repeated: again after the model was told", func(s *story) *story {
		return s.exhausted().fails("c1", "ServerError", true, 3).turn(200, "c2 kb_cache refunds").uses(260, "t-9", "search_kb refunds", 503)
	}, []string{"identical-call-repeated"}},
	{"identical-call-repeated: the model asked for it again", func(s *story) *story {
		return s.failing(2).turn(500, "says I do not know").concludes(520, "", "search_kb failed")
	}, nil},
	{"identical-call-repeated: an attempt that may have left before", func(s *story) *story {
		return s.exhausted().fails("c1", "ServerError", true, 3).ask(200, "m-a").use(201, "t-9", "search_kb refunds")
	}, []string{"identical-call-repeated?"}},

	{"finished-step-repeated: again although it had succeeded", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 200).uses(60, "t-2", "search_kb refunds", 200)
	}, []string{"finished-step-repeated"}},
	{"finished-step-repeated: from the beginning after a kill", func(s *story) *story {
		s.searched().turn(60, "c2 search_web refunds").kill(80)
		s.chat.messages = s.chat.messages[:2]
		return s.question(100, "w-2").turn(110, "c3 search_kb refunds")
	}, []string{"finished-step-repeated"}},
	{"finished-step-repeated: a tool again, whose result the model has", func(s *story) *story {
		return s.searched().turn(60, "c2 search_web refunds").kill(80).question(100, "w-2").uses(120, "t-2", "search_kb refunds", 200)
	}, []string{"finished-step-repeated"}},
	{"finished-step-repeated: killed long after the step was finished", func(s *story) *story {
		s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 200).kill(300)
		return s.question(360, "w-2").uses(370, "t-2", "search_kb refunds", 200)
	}, []string{"finished-step-repeated"}},
	{"finished-step-repeated: the model is asked again with the same words", func(s *story) *story {
		s.question(0, "w-1").turn(1, "c1 search_kb refunds")
		s.chat.messages = s.chat.messages[:2]
		return s.ask(40, "m-9")
	}, []string{"finished-step-repeated"}},
	{"finished-step-repeated: a success that may not have come", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").use(20, "t-1", "search_kb refunds").reply(419, "t-1", 200, history.Facts{}).
			ends(420, "t-1", "client fin").uses(440, "t-2", "search_kb refunds", 200)
	}, nil},

	{"breaker-not-opened: a fourth time", func(s *story) *story {
		return s.failing(3).turn(700, "c9 search_kb refunds").uses(720, "t-9", "search_kb refunds", 503)
	}, []string{"breaker-not-opened"}},
	{"breaker-not-opened: opened, and handed over", func(s *story) *story {
		return s.failing(3).turn(700, "c9 search_kb refunds").fails("c9", "CircuitOpen", false, 0).refers(720, "d-1", "e-1", nil).result(740, "escalated")
	}, nil},
	{"escalation-missing: the breaker opened, and nobody is told", func(s *story) *story {
		return s.failing(3).turn(700, "says I do not know").concludes(720, "", "search_kb failed")
	}, []string{"escalation-missing"}},
	{"breaker-not-opened: with other arguments", func(s *story) *story {
		return s.failing(3).turn(700, "c9 search_kb refund").uses(720, "t-9", "search_kb refund", 200).hears("c9", "30 days").refers(740, "d-1", "e-1", nil).result(760, "escalated")
	}, nil},

	{"resubmit-without-basis: a refund whose reply never came, paid again", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 issue_refund o_17").use(20, "t-1", "issue_refund o_17").ends(30, "t-1", "harness rst").use(60, "t-2", "issue_refund o_17")
	}, []string{"resubmit-without-basis"}},
	{"resubmit-without-basis: a refund that was turned away is paid once", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 issue_refund o_17").uses(20, "t-1", "issue_refund o_17", 429).uses(70, "t-2", "issue_refund o_17", 200)
	}, nil},
	{"resubmit-without-basis: with the same identifier it is the same refund", func(s *story) *story {
		s.question(0, "w-1").turn(1, "c1 issue_refund o_17").use(20, "t-1", "issue_refund o_17").keyed("k").ends(30, "t-1", "harness rst")
		return s.use(60, "t-2", "issue_refund o_17").keyed("k").reply(61, "t-2", 200, history.Facts{Status: "done"}).ends(70, "t-2", "client fin")
	}, nil},
	{"resubmit-without-basis: under another identifier it is another", func(s *story) *story {
		s.question(0, "w-1").turn(1, "c1 issue_refund o_17").use(20, "t-1", "issue_refund o_17").keyed("k").ends(30, "t-1", "harness rst")
		return s.use(60, "t-2", "issue_refund o_17").keyed("l")
	}, []string{"resubmit-without-basis"}},
	{"resubmit-without-basis: a deletion can be repeated", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 delete_record r_991").use(20, "t-1", "delete_record r_991").ends(30, "t-1", "harness rst").use(60, "t-2", "delete_record r_991")
	}, nil},
	{"permanent-retried: a refusal, tried again", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 delete_record r_991").uses(20, "t-1", "delete_record r_991", 403).uses(50, "t-2", "delete_record r_991", 403)
	}, []string{"permanent-retried"}},
	{"permanent-retried: a refusal that may not have come", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 delete_record r_991").use(20, "t-1", "delete_record r_991").reply(419, "t-1", 403, history.Facts{}).
			ends(420, "t-1", "client fin").uses(450, "t-2", "delete_record r_991", 403)
	}, nil},
	{"permanent-retried: a model that refuses", func(s *story) *story {
		return s.question(0, "w-1").ask(1, "m-a").reply(2, "m-a", 401, history.Facts{}).ends(12, "m-a", "client fin").ask(40, "m-b")
	}, []string{"permanent-retried"}},
	{"permanent-retried: a model that refuses, and the next one", func(s *story) *story {
		return s.question(0, "w-1").ask(1, "m-a").reply(2, "m-a", 401, history.Facts{}).ends(12, "m-a", "client fin").
			askOf(40, "m-b", "backup").speaks(41, "m-b", "says 30 days").concludes(60, "", "")
	}, nil},

	{"attempts-exceeded: layers of retries multiply", func(s *story) *story {
		return s.exhausted().uses(240, "t-4", "search_kb refunds", 503)
	}, []string{"attempts-exceeded"}},
	{"attempts-exceeded: one more for a kill", func(s *story) *story {
		return s.exhausted().kill(140).question(200, "w-2").uses(220, "t-4", "search_kb refunds", 200)
	}, nil},
	{"attempts-exceeded: of the model", func(s *story) *story {
		s.question(0, "w-1")
		for n, at := range []float64{1, 30, 70, 200} {
			name := []string{"m-a", "m-b", "m-c", "m-d"}[n]
			s.ask(at, name).reply(at+1, name, 503, history.Facts{}).ends(at+10, name, "client fin")
		}
		return s
	}, []string{"attempts-exceeded"}},

	{"transient-not-retried: given up after one 503", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 503).fails("c1", "ServerError", true, 1).
			turn(60, "c2 kb_cache refunds").uses(80, "t-2", "kb_cache refunds", 200).hears("c2", "30 days").turn(100, "says 30 days").concludes(120, "kb_cache", "kb_cache is stale")
	}, []string{"transient-not-retried"}},
	{"transient-not-retried: straight on to the fallback", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 503).uses(50, "t-2", "kb_cache refunds", 200).
			hears("c1", "30 days").turn(100, "says 30 days").concludes(120, "kb_cache", "kb_cache is stale")
	}, []string{"transient-not-retried"}},
	{"transient-not-retried: straight on to the next model", func(s *story) *story {
		return s.question(0, "w-1").ask(1, "m-a").reply(2, "m-a", 503, history.Facts{}).ends(12, "m-a", "client fin").
			askOf(40, "m-b", "backup").speaks(41, "m-b", "says 30 days").concludes(60, "", "")
	}, []string{"transient-not-retried"}},
	{"transient-not-retried: handed over after one 503 of the model", func(s *story) *story {
		return s.question(0, "w-1").ask(1, "m-a").reply(2, "m-a", 503, history.Facts{}).ends(12, "m-a", "client fin").refers(40, "d-1", "e-1", nil).result(60, "escalated")
	}, []string{"transient-not-retried"}},
	{"transient-not-retried: on a machine that can time nothing an attempt may never have come", func(s *story) *story {
		s.noise = 250
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 503).fails("c1", "ServerError", true, 1).
			turn(400, "c2 kb_cache refunds").uses(800, "t-2", "kb_cache refunds", 200).hears("c2", "30 days").turn(1200, "says 30 days").concludes(1600, "kb_cache", "kb_cache is stale")
	}, []string{"transient-not-retried?"}},
	{"fallback-out-of-order: on a machine that can time nothing the gate may have heard of them in another order", func(s *story) *story {
		s.noise = 250
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "kb_cache refunds", 200).hears("c1", "30 days").
			turn(440, "says 30 days").concludes(1600, "kb_cache", "kb_cache is stale")
	}, []string{"fallback-out-of-order?"}},
	{"transient-not-retried: a refusal that may have come", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").use(20, "t-1", "search_kb refunds").reply(419, "t-1", 403, history.Facts{}).
			ends(420, "t-1", "client fin").fails("c1", "PermissionDenied", false, 1).turn(440, "says no").concludes(460, "", "search_kb failed")
	}, nil},

	{"backoff-flat: at once", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 503).use(31, "t-2", "search_kb refunds")
	}, []string{"backoff-flat"}},
	{"backoff-flat: missed by less than the noise", func(s *story) *story {
		s.noise = 4
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 503).use(30, "t-2", "search_kb refunds")
	}, nil},
	{"backoff-flat: on a machine that can time nothing", func(s *story) *story {
		s.noise = 250
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").uses(20, "t-1", "search_kb refunds", 503).use(31, "t-2", "search_kb refunds").
			ends(431, "t-2", "client fin").fails("c1", "Timeout", true, 2).turn(900, "says I do not know").concludes(1300, "", "search_kb failed")
	}, nil},

	{"retry-after-ignored: half the wait", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").use(20, "t-1", "search_kb refunds").reply(21, "t-1", 429, history.Facts{Seq: 100}).
			ends(40, "t-1", "client fin").use(71, "t-2", "search_kb refunds")
	}, []string{"retry-after-ignored"}},
	{"retry-after-ignored: missed by less than twice the noise", func(s *story) *story {
		s.noise = 10
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").use(20, "t-1", "search_kb refunds").reply(21, "t-1", 429, history.Facts{Seq: 100}).
			ends(40, "t-1", "client fin").use(111, "t-2", "search_kb refunds")
	}, nil},
	{"retry-after-ignored: a reply that may not have come", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").use(20, "t-1", "search_kb refunds").reply(419, "t-1", 429, history.Facts{Seq: 100}).
			ends(420, "t-1", "client fin").use(450, "t-2", "search_kb refunds")
	}, nil},

	{"attempt-unbounded: a tool that hangs", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").use(20, "t-1", "search_kb refunds").ends(1400, "t-1", "client fin")
	}, []string{"attempt-unbounded"}},

	{"no-jitter: twenty clients in lockstep", func(s *story) *story {
		return s.clients(20, func(int) float64 { return 25 })
	}, []string{"no-jitter"}},
	{"no-jitter: twenty clients with jitter", func(s *story) *story {
		return s.clients(20, func(n int) float64 { return 13 + float64(n*7%20)*0.6 })
	}, nil},
	{"no-jitter: a few clients prove nothing", func(s *story) *story {
		return s.clients(8, func(int) float64 { return 25 })
	}, nil},
	{"no-jitter: on a machine that blurs the waits", func(s *story) *story {
		s.noise = 8
		return s.clients(20, func(n int) float64 { return 21 + float64(n*7%20)*0.6 })
	}, []string{"no-jitter?"}},

	{"own-stop-ignored: a tool after the stop", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").placed(15, history.Stop, nil).acked(16, 1).use(200, "t-1", "search_kb refunds")
	}, []string{"own-stop-ignored"}},
	{"own-stop-ignored: a model after the stop", func(s *story) *story {
		return s.searched().placed(40, history.Stop, nil).acked(41, 1).ask(200, "m-9")
	}, []string{"own-stop-ignored"}},
	{"own-stop-ignored: a stop that may not be known yet", func(s *story) *story {
		return s.searched().placed(59, history.Stop, nil).turn(60, "says 30 days").concludes(80, "search_kb", "")
	}, nil},
	{"own-stop-ignored: more turns than a run has", func(s *story) *story {
		s.question(0, "w-1")
		for n := range 20 {
			at := float64(n*40 + 1)
			id := fmt.Sprint("c", n)
			s.turn(at, id+" search_kb q"+id).uses(at+20, "t-"+id, "search_kb q"+id, 200).hears(id, "nothing")
		}
		return s.ask(900, "m-99")
	}, []string{"own-stop-ignored"}},

	{"escalation-incomplete: without a trace", func(s *story) *story {
		return s.failing(3).refers(720, "d-1", "e-1", func(b *history.Brief) { b.Missing = append(b.Missing, "trace") }).result(740, "escalated")
	}, []string{"escalation-incomplete"}},
	{"escalation-incomplete: without the last error", func(s *story) *story {
		return s.failing(3).refers(720, "d-1", "e-1", func(b *history.Brief) { b.LastError = "" }).result(740, "escalated")
	}, []string{"escalation-incomplete"}},
	{"escalation-repeated: under another identifier", func(s *story) *story {
		return s.failing(3).refers(720, "d-1", "e-1", nil).refers(730, "d-2", "e-2", nil).result(740, "escalated")
	}, []string{"escalation-repeated"}},
	{"escalation-repeated: sent again", func(s *story) *story {
		return s.failing(3).refers(720, "d-1", "e-1", nil).refers(730, "d-2", "e-1", nil).result(740, "escalated")
	}, nil},
	{"escalation-missing: escalated, and nothing came to the desk", func(s *story) *story {
		return s.forbidden().turn(40, "says no").result(60, "escalated")
	}, []string{"escalation-missing"}},
	{"escalation-needless: nothing was tried", func(s *story) *story {
		return s.question(0, "w-1").refers(10, "d-1", "e-1", nil).result(20, "escalated")
	}, []string{"escalation-needless"}},

	{"fabricated-success: a source that never delivered", func(s *story) *story {
		return s.timedOut().turn(1300, "says 30 days").concludes(1320, "search_kb", "search_kb failed")
	}, []string{"fabricated-success"}},
	{"fabricated-success: no data, and nothing disclosed", func(s *story) *story {
		return s.timedOut().turn(1300, "says 30 days").concludes(1320, "", "")
	}, []string{"fabricated-success"}},
	{"fabricated-success: no turn of a model", func(s *story) *story {
		return s.question(0, "w-1").concludes(10, "", "")
	}, []string{"fabricated-success"}},
	{"fabricated-success: a source that may have delivered", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "c1 search_kb refunds").use(20, "t-1", "search_kb refunds").reply(419, "t-1", 200, history.Facts{}).
			ends(420, "t-1", "client fin").hears("c1", "30 days").turn(440, "says 30 days").concludes(460, "search_kb", "")
	}, nil},
	{"fabricated-success: a model that needs no tool", func(s *story) *story {
		return s.question(0, "w-1").turn(1, "says 30 days").concludes(20, "", "")
	}, nil},

	{"agent-crashed: by a failing tool", func(s *story) *story {
		return s.exhausted().add(140, history.Record{Kind: history.ProcessExited, Process: &history.Process{ID: "p-w-1", Code: 1}})
	}, []string{"agent-crashed"}},
	{"never-settled: a question without a result", func(s *story) *story {
		return s.searched().turn(60, "says 30 days")
	}, []string{"never-settled"}},
}

func TestQuestionRules(t *testing.T) { judgeAll(t, byQuestionRule) }
