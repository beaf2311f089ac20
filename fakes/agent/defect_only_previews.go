package agent

func onlyPreviews() defect {
	return defect{
		Info: Info{
			Name:      "only-previews",
			Summary:   "A write whose outcome can be recovered is made, and not only previewed.",
			Rule:      "preview-unfounded",
			Scenarios: []string{"identifier-alone"},
			Covers:    []string{"B38"},
		},
		apply: func(p *policies) {
			p.recoverable = func(p promise) bool { return p.Idempotency.Supported && p.Query.ByKey }
		},
	}
}
