package agent

func unverifiedLeftOut() defect {
	return defect{
		Info: Info{
			Name:      "unverified-left-out",
			Summary:   "The result of what was handed over names what is unverified.",
			Rule:      "unverified-unnamed",
			Scenarios: []string{"never-arrives", "decided-close"},
			Covers:    []string{"B29", "B35"},
		},
		apply: func(p *policies) {
			p.outcome = func(r result) []result {
				r.Unverified = []unverified{}
				return []result{r}
			}
		},
	}
}
