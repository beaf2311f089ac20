package agent

import "time"

func lockstep() defect {
	return defect{
		Info: Info{
			Name:      "lockstep",
			Summary:   "Waits have a random part, so that clients that failed together do not come back together.",
			Rule:      "no-jitter",
			Scenarios: []string{"twenty-clients"},
			Covers:    []string{"A08", "B27"},
		},
		apply: func(p *policies) {
			p.wait = func(l limits, n int, _ float64) time.Duration { return l.step(n) }
		},
	}
}
