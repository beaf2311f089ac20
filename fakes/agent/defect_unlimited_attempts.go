package agent

func unlimitedAttempts() defect {
	return defect{
		Info: Info{
			Name:      "unlimited-attempts",
			Summary:   "The attempts of one write stay within one budget, over all layers and restarts.",
			Rule:      "attempts-exceeded",
			Scenarios: []string{"unreliable-to-the-end"},
			Covers:    []string{"B27"},
		},
		apply: func(p *policies) {
			p.budget = func(limits) int { return never }
		},
	}
}
