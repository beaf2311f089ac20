package agent

func doubtKeptQuiet() defect {
	return defect{
		Info: Info{
			Name:      "doubt-kept-quiet",
			Summary:   "An outcome that is unknown is claimed as pending verification.",
			Rule:      "claim-missing",
			Scenarios: []string{"never-arrives", "decided-wait"},
			Covers:    []string{"B04"},
		},
		apply: func(p *policies) {
			p.claims = func(state string) bool { return state != "pending_verification" }
		},
	}
}
