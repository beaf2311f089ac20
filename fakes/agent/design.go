package agent

import "time"

// designs are the correct implementations. They differ in what they try first
// while a send is in doubt, and in who walks a fallback chain; the contract
// allows each.
func designs() []design {
	return []design{
		{
			Info:  Info{Name: Reference, Summary: "replays at once while it is protected, then asks between replays; listens on after an escalation"},
			apply: func(*policies) {},
		},
		{
			Info: Info{Name: "query-first", Summary: "asks twice before each replay; walks a fallback chain by itself"},
			apply: func(p *policies) {
				p.patience = func(int) int { return 2 }
				p.linger = atOnce
				p.loop.walks = alone
			},
		},
		{
			Info: Info{Name: "replay-first", Summary: "replays until the budget or the protection is used up, then asks; has the model answer in events, and the first model again each turn"},
			apply: func(p *policies) {
				p.loop.streams, p.loop.returns = true, true
				p.patience = func(int) int { return 0 }
				p.linger, p.overtake = atOnce, atOnce
			},
		},
		{
			Info: Info{Name: "cautious", Summary: "never sends a write twice: asks until the verification period is over, then hands over; makes no call again that has failed once as often as it may"},
			apply: func(p *policies) {
				p.loop.lasting = func(failure) bool { return true }
				p.patience = func(int) int { return never }
				p.linger = atOnce
			},
		},
	}
}

func atOnce(limits) time.Duration { return 0 }
