package agent

func retryableAlways() defect {
	return defect{
		Info: Info{
			Name:      "retryable-always",
			Summary:   "The payload says truly whether the identical call may succeed later.",
			Rule:      "retryable-misreported",
			Scenarios: []string{"denied-deletion", "search-not-found"},
			Covers:    []string{"A11"},
		},
		apply: func(p *policies) {
			p.loop.payload = func(f failure, _ limits) string {
				f.Retryable = true
				return f.content()
			}
		},
	}
}
