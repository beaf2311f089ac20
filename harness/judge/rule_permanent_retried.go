package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var permanentRetried = Rule{
	ID: "permanent-retried", Family: Bounds, Party: Agent,
	Sentence: "A write was repeated after it was refused without effect.",
	Correct:  "Makes exactly one attempt; corrects the premise through a person, or ends.",
	Covers:   []string{"A03", "B02"},
	unlawful: func(p *replay, a *act) *Finding {
		if a.resends() && a.set().Only(contract.Refused) {
			return p.about(a, "%s after an explicit refusal", a.action)
		}
		return nil
	},
}
