package agent

func givesUpAtOnce() defect {
	return defect{
		Info: Info{
			Name:      "gives-up-at-once",
			Summary:   "What was turned away for a moment is tried again after the wait.",
			Rule:      "transient-not-retried",
			Scenarios: []string{"rate-limited", "unavailable-with-a-wait"},
			Covers:    []string{"B27", "B39"},
		},
		apply: func(p *policies) {
			p.budget = func(limits) int { return 1 }
		},
	}
}
