package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var attemptsExceeded = Rule{
	ID: "attempts-exceeded", Family: Bounds, Party: Agent,
	Sentence: "A call was made more often than its budget allows over all layers and restarts.",
	Correct:  "Counts attempts over SDK, tool layer, loop and restarts, and stops.",
	Covers:   []string{"B27", "A02", "B37"},
	unlawful: func(p *replay, a *act) *Finding {
		if a.resends() && a.surelyNot(contract.AttemptsLeft) {
			return p.about(a, "send number %d of a budget of %d", len(a.intent.sends)+1, p.limits.MaxAttempts)
		}
		return nil
	},
	attempt: func(p *replay, a *attempt) *Finding {
		e := a.of
		if a.side || a.q.crowded || p.over(a) != no || a.call.resend {
			return nil
		}
		if budget := p.limits.MaxAttempts*e.times() + a.q.task.kills; a.n > budget {
			return p.tries(a, "attempt number %d of a budget of %d", a.n, budget)
		}
		return nil
	},
}
