package agent

func conflictRetried() defect {
	return defect{
		Info: Info{
			Name:      "conflict-retried",
			Summary:   "A conflict is handled as one and not as a transient error.",
			Rule:      "conflict-retried",
			Scenarios: []string{"identifier-conflict"},
			Covers:    []string{"B10", "C2"},
		},
		apply: func(p *policies) {
			p.clash = func(*intent) standing { return unsent }
		},
	}
}
