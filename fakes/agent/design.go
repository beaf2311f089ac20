package agent

import "time"

// designs are the correct implementations. They differ in what they try first
// while a send is in doubt; the contract allows each.
func designs() []design {
	return []design{
		{
			Info:  Info{Name: Reference, Summary: "replays at once while it is protected, then asks between replays; listens on after an escalation"},
			apply: func(*policies) {},
		},
		{
			Info: Info{Name: "query-first", Summary: "asks twice before each replay"},
			apply: func(p *policies) {
				p.patience = func(int) int { return 2 }
				p.linger = atOnce
			},
		},
		{
			Info: Info{Name: "replay-first", Summary: "replays until the budget or the protection is used up, then asks"},
			apply: func(p *policies) {
				p.patience = func(int) int { return 0 }
				p.linger, p.overtake = atOnce, atOnce
			},
		},
		{
			Info: Info{Name: "cautious", Summary: "never sends anything twice: asks until the verification period is over, then hands over"},
			apply: func(p *policies) {
				p.patience = func(int) int { return never }
				p.linger = atOnce
			},
		},
	}
}

func atOnce(limits) time.Duration { return 0 }
