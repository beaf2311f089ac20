package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var escalationRepeated = Rule{
	ID: "escalation-repeated", Family: Escalation, Party: Agent, Hears: true,
	Sentence: "The same matter was handed over twice under different identifiers.",
	Correct:  "Escalates once; repeats and amendments carry the same identifier.",
	Covers:   []string{"B25", "B34"},
	act: func(p *replay, a *act) *Finding {
		first := a.work.task.escalated[a.intent.confirm.id] // whichever part of it that was about
		if a.action != contract.Escalate || first == nil || a.repeated {
			return nil
		}
		f := p.about(a, "escalated as %q, and before as %q", a.key, first.Wire.Key)
		f.Records = append([]int{first.N}, f.Records...)
		return f
	},
	referral: func(p *replay, r *referral) *Finding {
		first := r.q.task.escalated[""]
		if first == nil || r.repeated || r.q.crowded {
			return nil
		}
		f := p.escalating(r, "escalated as %q, and before as %q", r.call.key(), first.Wire.Key)
		f.Records = append([]int{first.N}, f.Records...)
		return f
	},
}
