package agent

func withdrawsInDoubt() defect {
	return defect{
		Info: Info{
			Name:      "withdraws-in-doubt",
			Summary:   "Nothing is withdrawn while the original submission is unverified.",
			Rule:      "blind-compensation",
			Scenarios: []string{"cancel-held-request", "cancel-late-receipt"},
			Covers:    []string{"B33"},
		},
		apply: func(p *policies) {
			p.cancel = func(v *view, b *bid) (move, bool) {
				switch {
				case !b.Submit.unknown() || b.Withdraw != nil && b.Withdraw.Attempts > 0:
					return v.cancel(b)
				case b.Withdraw == nil:
					return move{do: doPrepare, action: withdrawAction, in: b.Submit}, true
				}
				return v.first(b.Withdraw), true
			}
		},
	}
}
