package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var resubmitAfterAcceptance = Rule{
	ID: "resubmit-after-acceptance", Family: Basis, Party: Agent,
	Sentence: "A request was sent again although it was known to be accepted.",
	Correct:  "Tracks the accepted instance; neither a pending nor a declined one is a reason to send again.",
	Covers:   []string{"B03", "B06"},
	unlawful: func(p *replay, a *act) *Finding {
		set := a.set()
		if a.resends() && set.Within(contract.Accepted, contract.Partial, contract.Approved, contract.Declined, contract.Withdrawn) {
			return p.about(a, "%s while it was known to be %s", a.action, set)
		}
		return nil
	},
}
