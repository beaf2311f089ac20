package agent

func noBreaker() defect {
	return defect{
		Info: Info{
			Name:      "no-breaker",
			Summary:   "As many failed results of one call as the threshold stop that call for the rest of the run.",
			Rule:      "breaker-not-opened",
			Scenarios: []string{"model-repeats-itself"},
			Covers:    []string{"A17"},
		},
		apply: func(p *policies) {
			p.loop.threshold = func(limits) int { return never }
		},
	}
}
