package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var blindCompensation = Rule{
	ID: "blind-compensation", Family: Basis, Party: Agent,
	Sentence: "A withdrawal was sent while the original was unverified.",
	Correct:  "Verifies the original before it withdraws: a withdrawal that arrives first finds nothing, and the original may still come.",
	Covers:   []string{"B33"},
	unlawful: func(p *replay, a *act) *Finding {
		if up := a.broken(contract.Withdraw); up != nil && up.intent.mind(a.work).set.Any(contract.Unsent, contract.InDoubt, contract.Conflict) {
			return p.about(a, "withdrew while the submission was %s", a.standing())
		}
		return nil
	},
}
