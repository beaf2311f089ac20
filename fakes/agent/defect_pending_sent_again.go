package agent

func pendingSentAgain() defect {
	return defect{
		Info: Info{
			Name:      "pending-sent-again",
			Summary:   "An accepted request is tracked by its reference, and never sent again until it is approved.",
			Rule:      "resubmit-after-acceptance",
			Scenarios: []string{"slow-approver", "no-fault"},
			Covers:    []string{"B03", "B06"},
		},
		apply: func(p *policies) {
			p.follow = func(v *view, b *bid) move {
				if b.status() != "pending" || b.Submit.Attempts >= v.p.budget(v.task.Limits) {
					return v.follow(b)
				}
				if v.now.Before(b.Submit.NextSend) {
					return v.wait(b.Submit.NextSend)
				}
				return move{do: doSend, in: b.Submit}
			}
		},
	}
}
