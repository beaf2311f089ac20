package agent

func withdrawalBelieved() defect {
	return defect{
		Info: Info{
			Name:      "withdrawal-believed",
			Summary:   "A withdrawal is verified before anybody is told that it happened.",
			Rule:      "compensation-unverified",
			Scenarios: []string{"withdrawal-request-lost"},
			Covers:    []string{"B31", "B32"},
		},
		apply: func(p *policies) {
			p.cancel = func(v *view, b *bid) (move, bool) {
				if b.Withdraw != nil && b.Withdraw.Attempts > 0 {
					return move{do: doConclude, status: "cancelled", silent: true}, true
				}
				return v.cancel(b)
			}
		},
	}
}
