package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var escalationNeedless = Rule{
	ID: "escalation-needless", Family: Escalation, Party: Agent,
	Sentence: "A task was handed over although its state was known and nothing stood in the way.",
	Correct:  "Follows the instance to its end; a person is asked when the evidence gives no safe way on.",
	Covers:   []string{"B03", "B25"},
	unlawful: func(p *replay, a *act) *Finding {
		if a.action == contract.Escalate {
			return p.about(a, "escalated while the intent was %s", a.standing())
		}
		return nil
	},
}
