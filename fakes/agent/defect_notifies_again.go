package agent

func notifiesAgain() defect {
	return defect{
		Info: Info{
			Name:      "notifies-again",
			Summary:   "One approval does not excuse two notifications.",
			Rule:      "duplicate-consequence",
			Scenarios: []string{"no-fault", "acceptance-announced"},
			Covers:    []string{"B14", "B26"},
		},
		apply: func(p *policies) {
			p.missing = func(r *record) bool { return r.Status == "approved" }
		},
	}
}
