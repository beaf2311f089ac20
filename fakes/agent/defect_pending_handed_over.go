package agent

func pendingHandedOver() defect {
	return defect{
		Info: Info{
			Name:      "pending-handed-over",
			Summary:   "A request that waits for its approver is tracked, and no matter for a person.",
			Rule:      "escalation-needless",
			Scenarios: []string{"slow-approver", "no-fault"},
			Covers:    []string{"B03", "B06"},
		},
		apply: func(p *policies) {
			p.follow = func(v *view, b *bid) move {
				if b.status() == "pending" {
					return v.handOver(b.Submit, "it is not approved yet")
				}
				return v.follow(b)
			}
		},
	}
}
