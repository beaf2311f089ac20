package judge

import (
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

var transientNotRetried = Rule{
	ID: "transient-not-retried", Family: Bounds, Party: Agent,
	Sentence: "A call that only failed for a moment was given up.",
	Correct:  "Waits as long as it is asked to, and sends the same request again while attempts and time are left.",
	Covers:   []string{"A02", "B27", "B39", "B37"},
	Duties:   []string{contract.RetryByClass},
	unlawful: func(p *replay, a *act) *Finding {
		if a.action != contract.Escalate || len(a.intent.sends) == 0 || !a.set().Only(contract.Unsent) {
			return nil
		}
		f := p.about(a, "escalated after %d of %d attempts, each of which was turned away without effect", len(a.intent.sends), p.limits.MaxAttempts)
		f.Records = append(a.intent.sent(), f.Records...)
		return p.timed(f, a.intent.began+p.limits.VerificationPeriod-a.at, a.intent.began, a.at)
	},
	result: func(p *replay, r *result) *Finding {
		if !r.failed() || len(r.of.walks) > 0 || !p.givenUp(r.q, r.of, r.request.by, r.request.first()) {
			return nil
		}
		f := p.tells(r, "%s was given up after one attempt, which may have succeeded shortly", r.of)
		f.Uncertain = p.starvedAt(r.instants()...) // attempts may not have come to the gate
		return f
	},
	attempt: func(p *replay, a *attempt) *Finding {
		e := a.of
		var before *errand
		if len(e.walked) == 1 && e.by == nil {
			before = e.walked[0]
		}
		if e.turn != nil && len(e.sends) == 0 && slices.Index(a.q.models, e.tool) > a.q.reached {
			before = e.turn.of(a.q.models[slices.Index(a.q.models, e.tool)-1])
		}
		if before == nil || len(e.sends) > 0 || !p.givenUp(a.q, before, a.call.by, a.call.first()) {
			return nil
		}
		f := p.tries(a, "%s was given up after one attempt, which may have succeeded shortly", before)
		f.Intent, f.Records = before.String(), append(numbers(before.sends[0].sent), f.Records...)
		f.Uncertain = p.starvedAt(before.sends[0].first(), a.call.first())
		return f
	},
	state: func(p *replay, s *statement) *Finding {
		q := s.work.task.question
		if q == nil || !s.result || len(s.work.task.results) > 1 {
			return nil
		}
		e := p.lastTried(q, s.work, s.rec.At)
		if e == nil {
			return nil
		}
		f := p.inQuestion(s.work, s.rec.At, "%s was given up after one attempt, which may have succeeded shortly", e)
		f.Action, f.Intent, f.Records = "result:"+s.state(), e.String(), []int{e.sends[0].sent.N, s.rec.N}
		f.Uncertain = p.starvedAt(e.sends[0].first(), s.rec.At)
		return f
	},
}
