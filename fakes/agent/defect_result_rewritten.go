package agent

func resultRewritten() defect {
	return defect{
		Info: Info{
			Name:      "result-rewritten",
			Summary:   "What was handed over as unknown is not said to be settled afterwards.",
			Rule:      "history-rewritten",
			Scenarios: []string{"never-arrives", "decided-close"},
			Covers:    []string{"B29", "B35"},
		},
		apply: func(p *policies) {
			p.outcome = func(r result) []result {
				if r.Status != "escalated" {
					return []result{r}
				}
				return []result{r, {Status: "refused", Unverified: []unverified{}}}
			}
		},
	}
}
