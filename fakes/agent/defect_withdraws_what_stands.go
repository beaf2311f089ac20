package agent

func withdrawsWhatStands() defect {
	return defect{
		Info: Info{
			Name:      "withdraws-what-stands",
			Summary:   "What the service declares not to take back is not withdrawn.",
			Rule:      "withdraw-impossible",
			Scenarios: []string{"withdrawal-not-possible"},
			Covers:    []string{"B32"},
		},
		apply: func(p *policies) {
			p.cancel = func(v *view, b *bid) (move, bool) {
				if b.Withdraw == nil && b.status() != "" {
					return move{do: doPrepare, action: withdrawAction, in: b.Submit}, true
				}
				return v.cancel(b)
			}
		},
	}
}
