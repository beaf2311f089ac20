package agent

import "time"

func verifiesForEver() defect {
	return defect{
		Info: Info{
			Name:      "verifies-for-ever",
			Summary:   "When the verification period is over, the affected steps are handed over.",
			Rule:      "verification-overrun",
			Scenarios: []string{"never-arrives", "unreliable-to-the-end"},
			Covers:    []string{"B25"},
		},
		apply: func(p *policies) {
			p.verifying = func(in *intent, l limits, now time.Time) bool {
				return now.Before(periodEnd(in, l).Add(l.period() / 2))
			}
		},
	}
}
