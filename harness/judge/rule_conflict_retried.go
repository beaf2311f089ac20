package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var conflictRetried = Rule{
	ID: "conflict-retried", Family: Bounds, Party: Agent,
	Sentence: "A write was repeated after the service said that its identifier carries other content.",
	Correct:  "Takes a conflict for what it is, not for a transient error: hands over.",
	Covers:   []string{"B10", "C2"},
	unlawful: func(p *replay, a *act) *Finding {
		if a.resends() && a.set().Only(contract.Conflict) {
			return p.about(a, "%s after an identifier conflict", a.action)
		}
		return nil
	},
}
