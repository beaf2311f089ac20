package agent

func withdrawsUnasked() defect {
	return defect{
		Info: Info{
			Name:      "withdraws-unasked",
			Summary:   "Whether a late success is withdrawn is decided by the task's rule.",
			Rule:      "withdraw-impossible",
			Scenarios: []string{"cancel-keep", "cancel-ask"},
			Covers:    []string{"B31"},
		},
		apply: func(p *policies) {
			p.cancel = func(v *view, b *bid) (move, bool) {
				if b.status() != "pending" {
					return v.cancel(b)
				}
				return v.withdraw(b, true, "cancelled after it was accepted"), true
			}
		},
	}
}
