package agent

func contentUnconfirmed() defect {
	return defect{
		Info: Info{
			Name:      "content-unconfirmed",
			Summary:   "What is sent is what the person confirmed.",
			Rule:      "unconfirmed-content",
			Scenarios: []string{"no-fault"},
			Covers:    []string{"B02", "B22"},
		},
		apply: func(p *policies) {
			p.body = func(in *intent) []byte { return altered(in.Body, "urgent", true) }
		},
	}
}
