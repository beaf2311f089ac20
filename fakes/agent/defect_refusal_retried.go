package agent

func refusalRetried() defect {
	return defect{
		Info: Info{
			Name:      "refusal-retried",
			Summary:   "An explicit refusal without effect is not retried.",
			Rule:      "permanent-retried",
			Scenarios: []string{"refused"},
			Covers:    []string{"A03", "B02"},
		},
		apply: func(p *policies) {
			p.refusal = func(*intent) standing { return unsent }
		},
	}
}
