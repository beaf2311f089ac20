package agent

func revisedInDoubt() defect {
	return defect{
		Info: Info{
			Name:      "revised-in-doubt",
			Summary:   "While the original is unknown, a revised application is not submitted.",
			Rule:      "revised-while-in-doubt",
			Scenarios: []string{"revised-in-doubt"},
			Covers:    []string{"B16"},
		},
		apply: func(p *policies) {
			p.revise = func(v *view, b *bid) (move, bool) {
				if b.Submit.unknown() {
					return v.adopt(), true
				}
				return v.revise(b)
			}
		},
	}
}
