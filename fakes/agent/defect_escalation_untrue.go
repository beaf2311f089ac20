package agent

func escalationUntrue() defect {
	return defect{
		Info: Info{
			Name:      "escalation-untrue",
			Summary:   "What an escalation says is true.",
			Rule:      "escalation-untrue",
			Scenarios: []string{"never-arrives", "unreliable-to-the-end"},
			Covers:    []string{"B34"},
		},
		apply: func(p *policies) {
			p.brief = func(b *brief) {
				b.Unknowns = []string{}
				b.Queries = append(b.Queries, queryCount{"approval.query", "empty", 12})
			}
		},
	}
}
