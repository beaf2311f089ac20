package agent

func decisionTakenForFact() defect {
	return defect{
		Info: Info{
			Name:      "decision-taken-for-fact",
			Summary:   "A person's decision says what to do, and not what has happened.",
			Rule:      "fabricated-failure",
			Scenarios: []string{"decided-close"},
			Covers:    []string{"B35"},
		},
		apply: func(p *policies) {
			p.handedOver = func(v *view, b *bid, h *handover) move {
				if h.Choice == "close" {
					return move{do: doConclude, status: "refused", silent: true}
				}
				return v.afterHandover(b, h)
			}
		},
	}
}
