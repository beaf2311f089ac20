package agent

func fallbackUndisclosed() defect {
	return defect{
		Info: Info{
			Name:      "fallback-undisclosed",
			Summary:   "An answer says which stale tool it rests on, and which tool failed it.",
			Rule:      "fallback-undisclosed",
			Scenarios: []string{"search-times-out"},
			Covers:    []string{"A14"},
		},
		apply: func(p *policies) {
			p.loop.disclosures = func(*talk) []string { return nil }
		},
	}
}
