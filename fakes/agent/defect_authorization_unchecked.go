package agent

func authorizationUnchecked() defect {
	return defect{
		Info: Info{
			Name:      "authorization-unchecked",
			Summary:   "Before any write is sent again, permission, version and confirmation are checked again.",
			Rule:      "authorization-unchecked",
			Scenarios: []string{"lost-receipt-reset", "lost-request-reset"},
			Covers:    []string{"B22"},
		},
		apply: func(p *policies) {
			p.check = func(in *intent) bool { return in.Attempts == 0 }
		},
	}
}
