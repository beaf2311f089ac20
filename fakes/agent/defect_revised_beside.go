package agent

func revisedBeside() defect {
	return defect{
		Info: Info{
			Name:      "revised-beside",
			Summary:   "A revised application is not submitted beside its original.",
			Rule:      "revised-beside-original",
			Scenarios: []string{"revised-after-acceptance"},
			Covers:    []string{"B15", "B16"},
		},
		apply: func(p *policies) {
			p.revise = func(v *view, b *bid) (move, bool) {
				if b.Submit.unknown() {
					return move{}, false
				}
				return v.adopt(), true
			}
		},
	}
}
