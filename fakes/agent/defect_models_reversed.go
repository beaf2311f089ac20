package agent

import "slices"

func modelsReversed() defect {
	return defect{
		Info: Info{
			Name:      "models-reversed",
			Summary:   "The models are asked in the order in which they are declared.",
			Rule:      "fallback-out-of-order",
			Scenarios: []string{"model-heals", "question-answered"},
			Covers:    []string{"A15"},
		},
		apply: func(p *policies) {
			p.loop.models = func(q question) []string {
				all := slices.Clone(q.Models)
				slices.Reverse(all)
				return all
			}
		},
	}
}
