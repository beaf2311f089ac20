package agent

import "errors"

func crashesOnFailure() defect {
	return defect{
		Info: Info{
			Name:      "crashes-on-failure",
			Summary:   "A failed tool never ends the process.",
			Rule:      "agent-crashed",
			Scenarios: []string{"denied-deletion", "search-times-out"},
			Covers:    []string{"A06", "A07"},
		},
		apply: func(p *policies) {
			p.loop.raise = func(f failure) error { return errors.New("unhandled " + f.Error + ": " + f.Message) }
		},
	}
}
