package agent

func buysAgain() defect {
	return defect{
		Info: Info{
			Name:      "buys-again",
			Summary:   "One approval does not excuse two purchases.",
			Rule:      "duplicate-consequence",
			Scenarios: []string{"lost-purchase-receipt"},
			Covers:    []string{"B14", "B08"},
		},
		apply: func(p *policies) {
			p.key = func(in *intent) string {
				if in.Action == purchaseAction && in.Attempts > 0 {
					return newKey()
				}
				return in.Key
			}
		},
	}
}
