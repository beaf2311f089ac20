package agent

import "context"

func layersMultiplied() defect {
	return defect{
		Info: Info{
			Name:      "layers-multiplied",
			Summary:   "The attempts of all layers, of client, tool layer and loop, stay within one budget.",
			Rule:      "attempts-exceeded",
			Scenarios: []string{"layers-multiplied"},
			Covers:    []string{"B37", "A02", "B27"},
		},
		apply: func(p *policies) {
			p.loop.attempt = func(ctx context.Context, l *loop, c toolCall) (r reply, failed *failure, err error) {
				total := 0
				for range 3 { // of the loop
					for range 3 { // of the tool layer; the client beneath makes three each time
						l.talk.Effort = nil
						if r, failed, err = l.attempt(ctx, c); err != nil || failed == nil || !failed.Retryable {
							return r, failed, err
						}
						total += failed.Attempts
					}
				}
				failed.Attempts = total
				return r, failed, nil
			}
		},
	}
}
