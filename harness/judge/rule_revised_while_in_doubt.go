package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var revisedWhileInDoubt = Rule{
	ID: "revised-while-in-doubt", Family: Basis, Party: Agent, Hears: true,
	Sentence: "A revision was submitted, or the original sent again, while the original was unverified.",
	Correct:  "Verifies the original first; submits the revision only when the original has and will have no effect.",
	Covers:   []string{"B16", "B15"},
	unlawful: func(p *replay, a *act) *Finding {
		if up := a.broken(contract.SubmitRevised); up != nil {
			if up.intent.mind(a.work).set.Any(contract.InDoubt, contract.Conflict) {
				return p.about(a, "version %d was submitted while version %d was %s", a.intent.confirm.version, up.intent.confirm.version, a.standing())
			}
			return nil
		}
		if a.intent.form == submission && a.writes() && a.surely(contract.Revised) {
			return p.about(a, "%s of a version that was revised, while it was %s", a.action, a.standing())
		}
		return nil
	},
}
