package agent

import "time"

func noJitter() defect {
	return defect{
		Info: Info{
			Name:      "no-jitter",
			Summary:   "Waits between attempts have a random part.",
			Rule:      "no-jitter",
			Scenarios: []string{"lost-receipt"},
			Covers:    []string{"A08", "B27"},
		},
		apply: func(p *policies) {
			p.wait = func(l limits, n int, _ float64) time.Duration { return l.step(n) }
		},
	}
}
