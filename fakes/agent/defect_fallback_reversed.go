package agent

import "slices"

func fallbackReversed() defect {
	return defect{
		Info: Info{
			Name:      "fallback-reversed",
			Summary:   "The tools of a fallback chain are tried in its order.",
			Rule:      "fallback-out-of-order",
			Scenarios: []string{"chain-of-three"},
			Covers:    []string{"A13", "A14"},
		},
		apply: func(p *policies) {
			p.loop.walks = func(q question, tool string) []string {
				chain := slices.Clone(alone(q, tool))
				slices.Reverse(chain)
				return chain
			}
		},
	}
}
