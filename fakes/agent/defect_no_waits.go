package agent

import "time"

func noWaits() defect {
	return defect{
		Info: Info{
			Name:      "no-waits",
			Summary:   "Waits between attempts grow.",
			Rule:      "backoff-flat",
			Scenarios: []string{"long-waits", "search-long-waits"},
			Covers:    []string{"A08", "B27"},
		},
		apply: func(p *policies) {
			p.wait = func(l limits, _ int, _ float64) time.Duration { return l.step(1) / 8 }
		},
	}
}
