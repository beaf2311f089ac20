package agent

func firstEmptyBelieved() defect {
	return defect{
		Info: Info{
			Name:      "first-empty-believed",
			Summary:   "One empty query result is no proof; the unknown state is kept.",
			Rule:      "resubmit-without-basis",
			Scenarios: []string{"never-arrives", "stale-empty-late-success"},
			Covers:    []string{"B20", "B21", "C3"},
		},
		apply: func(p *policies) {
			p.emptyProves = func(*intent) bool { return true }
		},
	}
}
