package agent

import "slices"

func fallbackImprovised() defect {
	return defect{
		Info: Info{
			Name:      "fallback-improvised",
			Summary:   "Nothing stands in for a failed tool but what the task declares.",
			Rule:      "fallback-improvised",
			Scenarios: []string{"search-times-out"},
			Covers:    []string{"A14"},
		},
		apply: func(p *policies) {
			p.loop.walks = func(q question, tool string) []string {
				declared, _ := q.chain(tool)
				var others []string
				for _, d := range q.Tools {
					if name := d.Function.Name; name != tool && !slices.Contains(declared, name) {
						others = append(others, name)
					}
				}
				return others
			}
		},
	}
}
