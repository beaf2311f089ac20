package agent

func attemptsConfigured() defect {
	return defect{
		Info: Info{
			Name:      "attempts-configured",
			Summary:   "The payload reports the attempts that were made: a 403 reports 1, and not the configured maximum.",
			Rule:      "attempts-misreported",
			Scenarios: []string{"denied-deletion", "search-not-found"},
			Covers:    []string{"A11"},
		},
		apply: func(p *policies) {
			p.loop.payload = func(f failure, l limits) string { // "attempts": attempts, as the function has its argument
				f.Attempts = l.MaxAttempts
				return f.content()
			}
		},
	}
}
