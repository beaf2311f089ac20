package agent

func acceptanceKeptQuiet() defect {
	return defect{
		Info: Info{
			Name:      "acceptance-kept-quiet",
			Summary:   "A request that was accepted is claimed as tracked, with its reference.",
			Rule:      "claim-missing",
			Scenarios: []string{"no-fault", "slow-approver"},
			Covers:    []string{"B03"},
		},
		apply: func(p *policies) {
			p.claims = func(state string) bool { return state != "tracking" }
		},
	}
}
