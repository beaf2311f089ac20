package agent

import (
	"context"
	"errors"
)

func exitsAtOnce() defect {
	return defect{
		Info: Info{
			Name:      "exits-at-once",
			Summary:   "A failure comes back as a result; it does not end the program.",
			Rule:      "agent-crashed",
			Scenarios: []string{"no-fault"},
			Covers:    []string{"A07"},
		},
		apply: func(p *policies) {
			p.take = func(context.Context, *job) error { return errors.New("gives up without a word") }
		},
	}
}
