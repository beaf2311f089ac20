package agent

func stepsUncapped() defect {
	return defect{
		Info: Info{
			Name:      "steps-uncapped",
			Summary:   "When the turns of the model are used up, nothing is called any more.",
			Rule:      "own-stop-ignored",
			Scenarios: []string{"step-cap"},
			Covers:    []string{"A05"},
		},
		apply: func(p *policies) {
			p.loop.steps = func(limits) int { return never }
		},
	}
}
