package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var partialReexecuted = Rule{
	ID: "partial-reexecuted", Family: Basis, Party: Agent,
	Sentence: "A finished part was run again because another part had failed.",
	Correct:  "Keeps what is finished and brings about only the part that is missing, under an identifier of its own.",
	Covers:   []string{"B23", "B26"},
	Duties:   []string{contract.KeepFinishedPart},
	unlawful: func(p *replay, a *act) *Finding {
		if !a.resends() || a.intent.form == notification || !a.surely(contract.NotificationMissing) {
			return nil
		}
		if set := a.set(); set.Within(contract.Accepted, contract.Partial, contract.Approved, contract.Declined, contract.Withdrawn) {
			return p.about(a, "%s of the %s, which was %s, while only the notification was missing", a.action, a.intent.form, set)
		}
		return nil
	},
}
