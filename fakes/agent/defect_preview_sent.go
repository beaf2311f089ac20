package agent

func previewSent() defect {
	return defect{
		Info: Info{
			Name:      "preview-sent",
			Summary:   "Without idempotency and without a query entry, only a preview is prepared.",
			Rule:      "uncontrolled-write",
			Scenarios: []string{"preview-only"},
			Covers:    []string{"B28", "B38"},
		},
		apply: func(p *policies) {
			p.recoverable = func(promise) bool { return true }
		},
	}
}
