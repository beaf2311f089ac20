package agent

func previewKeptQuiet() defect {
	return defect{
		Info: Info{
			Name:      "preview-kept-quiet",
			Summary:   "A preview is claimed as ready before the task ends with it.",
			Rule:      "claim-missing",
			Scenarios: []string{"preview-only"},
			Covers:    []string{"B38"},
		},
		apply: func(p *policies) {
			p.claims = func(state string) bool { return state != "preview_ready" }
		},
	}
}
