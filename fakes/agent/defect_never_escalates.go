package agent

func neverEscalates() defect {
	return defect{
		Info: Info{
			Name:      "never-escalates",
			Summary:   "When nothing safe is left, the responsible person is told.",
			Rule:      "escalation-missing",
			Scenarios: []string{"never-arrives", "identifier-conflict"},
			Covers:    []string{"B25"},
		},
		apply: func(p *policies) {
			p.exhausted = func(v *view, _ *intent, _ string) move { return v.conclude("escalated") }
		},
	}
}
