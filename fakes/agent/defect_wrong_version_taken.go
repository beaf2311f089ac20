package agent

func wrongVersionTaken() defect {
	return defect{
		Info: Info{
			Name:      "wrong-version-taken",
			Summary:   "Reconciliation verifies object, content and version before it associates a record.",
			Rule:      "wrong-association",
			Scenarios: []string{"wrong-instance"},
			Covers:    []string{"B18"},
		},
		apply: func(p *policies) {
			p.association.belongs = func(_ task, _ *intent, r *record) bool { return r != nil && r.Ref != "" }
		},
	}
}
