package agent

func malformedSent() defect {
	return defect{
		Info: Info{
			Name:      "malformed-sent",
			Summary:   "Arguments that fail the tool's schema are not sent.",
			Rule:      "malformed-call-sent",
			Scenarios: []string{"arguments-misfit"},
			Covers:    []string{"A04"},
		},
		apply: func(p *policies) {
			p.loop.misfit = func(*declaration, string) error { return nil }
		},
	}
}
