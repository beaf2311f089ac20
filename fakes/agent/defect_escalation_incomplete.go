package agent

func escalationIncomplete() defect {
	return defect{
		Info: Info{
			Name:      "escalation-incomplete",
			Summary:   "An escalation carries the original content, the queries made and the unknowns.",
			Rule:      "escalation-incomplete",
			Scenarios: []string{"never-arrives", "identifier-conflict"},
			Covers:    []string{"B34"},
		},
		apply: func(p *policies) {
			p.brief = func(b *brief) { b.missing = []string{"original", "queries", "unknowns"} }
		},
	}
}
