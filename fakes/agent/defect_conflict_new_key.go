package agent

func conflictNewKey() defect {
	return defect{
		Info: Info{
			Name:      "conflict-new-key",
			Summary:   "An identifier that carries other content is a conflict, and no reason to take another one.",
			Rule:      "identifier-changed",
			Scenarios: []string{"identifier-conflict"},
			Covers:    []string{"B10", "C2"},
		},
		apply: func(p *policies) {
			p.clash = func(in *intent) standing {
				in.Key = newKey()
				return unsent
			}
		},
	}
}
