package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var resubmitWithoutBasis = Rule{
	ID: "resubmit-without-basis", Family: Basis, Party: Agent,
	Sentence: "A request of unknown outcome was sent again although nothing makes that safe.",
	Correct:  "Keeps the unknown state: queries, and hands over at the end of the verification period.",
	Covers:   []string{"B20", "B21", "B04", "C3"},
	unlawful: func(p *replay, a *act) *Finding {
		if !a.resends() || !a.set().Has(contract.InDoubt) || a.intent.promise.Idempotency.Supported {
			return nil
		}
		f := p.about(a, "%s while the first send was unsettled, to a service that does not promise to recognise it", a.action)
		f.Records = append([]int{a.prev.sent.N}, f.Records...)
		return f
	},
}
