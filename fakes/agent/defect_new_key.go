package agent

func newKeyEachAttempt() defect {
	return defect{
		Info: Info{
			Name:      "new-key",
			Summary:   "Any resend after a time-out or a restart uses the original identifier.",
			Rule:      "identifier-changed",
			Scenarios: []string{"lost-receipt-reset", "lost-request-reset"},
			Covers:    []string{"B07", "B08", "C1"},
		},
		apply: func(p *policies) {
			p.key = func(in *intent) string {
				if in.Attempts == 0 {
					return in.Key
				}
				return newKey()
			}
		},
	}
}
