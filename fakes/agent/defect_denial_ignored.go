package agent

func denialIgnored() defect {
	return defect{
		Info: Info{
			Name:      "denial-ignored",
			Summary:   "An authorization that is known to be gone is not used any more.",
			Rule:      "stale-authorization",
			Scenarios: []string{"revoked-while-in-doubt", "revoked-before-send"},
			Covers:    []string{"B22"},
		},
		apply: func(p *policies) {
			p.denied = func(action string, is bool) bool { return is && action == withdrawAction }
		},
	}
}
