package agent

func declinedSentAgain() defect {
	return defect{
		Info: Info{
			Name:      "declined-sent-again",
			Summary:   "A declined request is a result and no failed call: it is not sent again.",
			Rule:      "resubmit-after-acceptance",
			Scenarios: []string{"declined"},
			Covers:    []string{"B06"},
		},
		apply: func(p *policies) {
			p.follow = func(v *view, b *bid) move {
				if b.status() == "declined" && b.Submit.Attempts < v.p.budget(v.task.Limits) {
					return move{do: doSend, in: b.Submit}
				}
				return v.follow(b)
			}
		},
	}
}
