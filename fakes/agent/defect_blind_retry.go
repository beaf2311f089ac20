package agent

import "time"

func blindRetry() defect {
	return defect{
		Info: Info{
			Name:      "blind-retry",
			Summary:   "A request is sent again only with the contract's confirmation that it will not execute, or under valid idempotent replay.",
			Rule:      "resubmit-without-basis",
			Scenarios: []string{"lost-receipt-unprotected", "stale-empty-late-success"},
			Covers:    []string{"B01", "B21"},
		},
		apply: func(p *policies) {
			p.protected = func(*intent, promise, limits, time.Time) bool { return true }
		},
	}
}
