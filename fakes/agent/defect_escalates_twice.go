package agent

func escalatesTwice() defect {
	return defect{
		Info: Info{
			Name:      "escalates-twice",
			Summary:   "One matter is handed over once.",
			Rule:      "escalation-repeated",
			Scenarios: []string{"never-arrives", "identifier-conflict"},
			Covers:    []string{"B25", "B34"},
		},
		apply: func(p *policies) {
			p.addresses = func(key string) []string { return []string{key, newKey()} }
		},
	}
}
