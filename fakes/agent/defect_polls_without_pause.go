package agent

import "time"

func pollsWithoutPause() defect {
	return defect{
		Info: Info{
			Name:      "polls-without-pause",
			Summary:   "Where the protocol offers to wait for news, it is not asked in a loop.",
			Rule:      "control-flooded",
			Scenarios: []string{"slow-approver"},
			Covers:    []string{"B27"},
		},
		apply: func(p *policies) {
			p.listen = func() time.Duration { return 0 }
		},
	}
}
