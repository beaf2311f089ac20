package judge

import (
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

var escalationNeedless = Rule{
	ID: "escalation-needless", Family: Escalation, Party: Agent, Hears: true,
	Sentence: "A task was handed over although its state was known and nothing stood in the way.",
	Correct:  "Follows the instance to its end; a person is asked when the evidence gives no safe way on.",
	Covers:   []string{"B03", "B25"},
	Duties:   []string{contract.ResultCancelled},
	unlawful: func(p *replay, a *act) *Finding {
		if a.action == contract.Escalate {
			return p.about(a, "escalated while the intent was %s", a.standing())
		}
		return nil
	},
	referral: func(p *replay, r *referral) *Finding {
		q := r.q
		if r.repeated || q.failing || q.crowded || q.task.refused || len(q.answers) > 0 || p.inForce(history.Stop, r.call.by, r.call.first()) != no {
			return nil
		}
		return p.escalating(r, "escalated although nothing had failed and the model was never asked")
	},
}
