package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var revisedBesideOriginal = Rule{
	ID: "revised-beside-original", Family: Basis, Party: Agent, Hears: true,
	Sentence: "A revision was submitted beside an original that stands.",
	Correct:  "Withdraws the original and verifies that first, or hands over.",
	Covers:   []string{"B16"},
	unlawful: func(p *replay, a *act) *Finding {
		if up := a.broken(contract.SubmitRevised); up != nil {
			return p.about(a, "version %d was submitted beside version %d, which was %s", a.intent.confirm.version, up.intent.confirm.version, a.standing())
		}
		return nil
	},
}
