package agent

import "context"

func repeatsExhausted() defect {
	return defect{
		Info: Info{
			Name:      "repeats-exhausted",
			Summary:   "A call whose attempts are used up is not made again unless the model asks for it.",
			Rule:      "identical-call-repeated",
			Scenarios: []string{"search-unavailable", "search-times-out"},
			Covers:    []string{"A13"},
		},
		apply: func(p *policies) {
			p.loop.parting = func(ctx context.Context, l *loop) error { // once more, it may work now
				for _, m := range l.talk.Messages {
					for _, c := range m.ToolCalls {
						if l.talk.Failures[c.identity()] == 0 {
							continue
						}
						if _, _, err := l.attempt(ctx, c); err != nil {
							return err
						}
					}
				}
				return nil
			}
		},
	}
}
