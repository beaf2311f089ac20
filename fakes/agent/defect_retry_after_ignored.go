package agent

import "time"

func retryAfterIgnored() defect {
	return defect{
		Info: Info{
			Name:      "retry-after-ignored",
			Summary:   "The wait that a service asks for is granted.",
			Rule:      "retry-after-ignored",
			Scenarios: []string{"rate-limited", "search-rate-limited"},
			Covers:    []string{"A09", "A09", "B27"},
		},
		apply: func(p *policies) {
			p.asked = func(reply) time.Duration { return 0 }
		},
	}
}
