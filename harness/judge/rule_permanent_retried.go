package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var permanentRetried = Rule{
	ID: "permanent-retried", Family: Bounds, Party: Agent,
	Sentence: "A call was repeated after it was refused for good.",
	Correct:  "Makes exactly one attempt; corrects the premise through a person, or ends.",
	Covers:   []string{"A03", "B02"},
	Duties:   []string{contract.RetryByClass},
	unlawful: func(p *replay, a *act) *Finding {
		if a.resends() && a.set().Only(contract.Refused) {
			return p.about(a, "%s after an explicit refusal", a.action)
		}
		return nil
	},
	attempt: func(p *replay, a *attempt) *Finding {
		refused := a.prev != nil && a.was == permanent && a.of.times() == 1 || a.of.come == permanent && a.n > a.of.times() && a.prev != nil
		if !refused || p.over(a) != no {
			return nil
		}
		f := p.tries(a, "%s was tried again after it had been refused with status %d", a.of, a.prev.status())
		f.Uncertain = p.earlier(a.prev, a.call) != yes
		return f
	},
}
