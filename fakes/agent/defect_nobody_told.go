package agent

func nobodyTold() defect {
	return defect{
		Info: Info{
			Name:      "nobody-told",
			Summary:   "An open breaker hands the task to a person.",
			Rule:      "escalation-missing",
			Scenarios: []string{"model-repeats-itself"},
			Covers:    []string{"A18"},
		},
		apply: func(p *policies) {
			p.loop.hands = func(l *loop, _ string) error {
				l.talk.Ending = "escalated"
				return l.book.keep(l.talk)
			}
		},
	}
}
