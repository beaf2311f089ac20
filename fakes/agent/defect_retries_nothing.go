package agent

func retriesNothing() defect {
	return defect{
		Info: Info{
			Name:      "retries-nothing",
			Summary:   "A failure that passes is tried again within the budget.",
			Rule:      "transient-not-retried",
			Scenarios: []string{"search-heals", "model-rate-limited"},
			Covers:    []string{"A01", "A02"},
		},
		apply: func(p *policies) {
			p.loop.tries = func(limits) int { return 1 }
		},
	}
}
