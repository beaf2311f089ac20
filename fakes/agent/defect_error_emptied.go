package agent

func errorEmptied() defect {
	return defect{
		Info: Info{
			Name:      "error-emptied",
			Summary:   "A failed call is never answered by nothing: that invites the model to invent a result.",
			Rule:      "error-silent",
			Scenarios: []string{"denied-deletion", "search-times-out"},
			Covers:    []string{"A12"},
		},
		apply: func(p *policies) {
			p.loop.payload = func(failure, limits) string { return "" }
		},
	}
}
