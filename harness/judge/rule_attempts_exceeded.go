package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var attemptsExceeded = Rule{
	ID: "attempts-exceeded", Family: Bounds, Party: Agent,
	Sentence: "A write was sent more often than its budget allows over all layers and restarts.",
	Correct:  "Counts attempts over SDK, tool layer, loop and restarts, and stops.",
	Covers:   []string{"B27", "A02"},
	unlawful: func(p *replay, a *act) *Finding {
		if a.resends() && a.surelyNot(contract.AttemptsLeft) {
			return p.about(a, "send number %d of a budget of %d", len(a.intent.sends)+1, p.limits.MaxAttempts)
		}
		return nil
	},
}
