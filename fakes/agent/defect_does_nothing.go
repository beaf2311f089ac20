package agent

import "context"

func doesNothing() defect {
	return defect{
		Info: Info{
			Name:      "does-nothing",
			Summary:   "A task that is taken is brought to an end.",
			Rule:      "never-settled",
			Scenarios: []string{"no-fault", "question-answered"},
			Covers:    []string{"B24", "B25"},
		},
		apply: func(p *policies) {
			p.take = func(ctx context.Context, _ *job) error {
				<-ctx.Done()
				return nil
			}
		},
	}
}
