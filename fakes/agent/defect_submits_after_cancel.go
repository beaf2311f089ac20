package agent

func submitsAfterCancel() defect {
	return defect{
		Info: Info{
			Name:      "submits-after-cancel",
			Summary:   "Cancellation stops new submissions.",
			Rule:      "submission-after-cancel",
			Scenarios: []string{"cancel-before-send"},
			Covers:    []string{"B30"},
		},
		apply: func(p *policies) {
			p.cancelled = func(bool) bool { return false }
		},
	}
}
