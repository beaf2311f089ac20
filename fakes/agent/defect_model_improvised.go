package agent

func modelImprovised() defect {
	return defect{
		Info: Info{
			Name:      "model-improvised",
			Summary:   "No model is asked but those that the task declares.",
			Rule:      "fallback-improvised",
			Scenarios: []string{"model-down", "all-models-down"},
			Covers:    []string{"A15"},
		},
		apply: func(p *policies) {
			p.loop.models = func(q question) []string { return append([]string{q.Models[0], "whatever-answers"}, q.Models[1:]...) }
		},
	}
}
