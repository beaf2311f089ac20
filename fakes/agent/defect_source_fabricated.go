package agent

func sourceFabricated() defect {
	return defect{
		Info: Info{
			Name:      "source-fabricated",
			Summary:   "A source of an answer has delivered something: a tool that failed is none.",
			Rule:      "fabricated-success",
			Scenarios: []string{"search-unavailable", "no-tool-left"},
			Covers:    []string{"A12", "A14"},
		},
		apply: func(p *policies) {
			p.loop.sources = func(t *talk) []string {
				all := sources(t)
				for _, g := range t.Gaps {
					all = append(all, g.Tool)
				}
				for _, s := range t.Sources {
					if s.For != "" {
						all = append(all, s.For)
					}
				}
				return all
			}
		},
	}
}
