package agent

func buysInDoubt() defect {
	return defect{
		Info: Info{
			Name:      "buys-in-doubt",
			Summary:   "While the original is unknown, dependent steps are paused.",
			Rule:      "dependent-while-in-doubt",
			Scenarios: []string{"stale-empty-late-success", "never-arrives"},
			Covers:    []string{"B04", "B24"},
		},
		apply: func(p *policies) {
			p.mayDepend = func(b *bid) bool { return b.Submit.unknown() || b.status() == "approved" }
		},
	}
}
