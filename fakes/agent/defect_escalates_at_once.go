package agent

import "time"

func escalatesAtOnce() defect {
	return defect{
		Info: Info{
			Name:      "escalates-at-once",
			Summary:   "While a query is available, it is used for the whole verification period before a person is asked.",
			Rule:      "verification-abandoned",
			Scenarios: []string{"stale-empty-late-success", "lost-receipt-unprotected"},
			Covers:    []string{"B24"},
		},
		apply: func(p *policies) {
			p.verifying = func(in *intent, _ limits, _ time.Time) bool { return in.Attempts == 0 }
		},
	}
}
