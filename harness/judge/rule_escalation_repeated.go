package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var escalationRepeated = Rule{
	ID: "escalation-repeated", Family: Escalation, Party: Agent,
	Sentence: "The same matter was handed over twice under different identifiers.",
	Correct:  "Escalates once; repeats and amendments carry the same identifier.",
	Covers:   []string{"B25", "B34"},
	act: func(p *replay, a *act) *Finding {
		if a.action != contract.Escalate {
			return nil
		}
		for _, c := range a.work.task.escalations {
			if c.intent == a.intent && c.key() != a.key {
				f := p.about(a, "escalated as %q, and before as %q", a.key, c.key())
				f.Records = append([]int{c.sent.N}, f.Records...)
				return f
			}
		}
		return nil
	},
}
