package agent

import "time"

func noTimeout() defect {
	return defect{
		Info: Info{
			Name:      "no-timeout",
			Summary:   "Every attempt has a time-out of its own.",
			Rule:      "attempt-unbounded",
			Scenarios: []string{"lost-receipt-hang", "lost-request-hang", "search-hangs-once"},
			Covers:    []string{"A10", "A10", "B27"},
		},
		apply: func(p *policies) {
			p.timeout = func(limits) time.Duration { return 0 }
		},
	}
}
