package agent

func lastMessageWins() defect {
	return defect{
		Info: Info{
			Name:      "last-message-wins",
			Summary:   "A late old message never overwrites a newer confirmed result.",
			Rule:      "state-regressed",
			Scenarios: []string{"old-answer-long-after-the-news"},
			Covers:    []string{"B19"},
		},
		apply: func(p *policies) {
			p.association.newer = func(old, r *record) bool { return !r.Came.Before(old.Came) }
		},
	}
}
