package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var compensationUnauthorized = Rule{
	ID: "compensation-unauthorized", Family: Authorization, Party: Agent, Hears: true,
	Sentence: "A withdrawal was sent although its own permission was known to be gone.",
	Correct:  "Takes a withdrawal for an action of its own: asks for its permission, and hands over without it.",
	Covers:   []string{"B32", "B22"},
	unlawful: func(p *replay, a *act) *Finding {
		if a.intent.form != withdrawal || !a.writes() || !a.surely(contract.Unauthorized) {
			return nil
		}
		f := p.about(a, "withdrew although the control plane had said that withdrawing is not permitted")
		f.Records = append(a.work.said(a.intent), f.Records...)
		return f
	},
}
