package agent

func refusalBelieved() defect {
	return defect{
		Info: Info{
			Name:      "refusal-believed",
			Summary:   "A refusal settles only the attempt that it answers.",
			Rule:      "fabricated-failure",
			Scenarios: []string{"refused-replay"},
			Covers:    []string{"B29", "B39"},
		},
		apply: func(p *policies) {
			p.settled = func(in *intent) bool {
				in.Open = 0
				return true
			}
		},
	}
}
