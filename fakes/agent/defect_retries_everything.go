package agent

func retriesEverything() defect {
	return defect{
		Info: Info{
			Name:      "retries-everything",
			Summary:   "A permanent failure ends a call at once: the identical call fails identically for ever.",
			Rule:      "permanent-retried",
			Scenarios: []string{"denied-deletion", "search-not-found"},
			Covers:    []string{"A01", "A03"},
		},
		apply: func(p *policies) {
			p.loop.diagnose = func(r reply, read func(reply) error) diagnosis {
				d := diagnose(r, read)
				if d.class == permanent {
					d.class = transient
				}
				return d
			}
		},
	}
}
