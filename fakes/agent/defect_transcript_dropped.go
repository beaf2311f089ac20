package agent

func transcriptDropped() defect {
	return defect{
		Info: Info{
			Name:      "transcript-dropped",
			Summary:   "The turns before a failure stay in the conversation.",
			Rule:      "transcript-lost",
			Scenarios: []string{"third-step-fails"},
			Covers:    []string{"A06"},
		},
		apply: func(p *policies) {
			p.loop.told = func(t *talk) []message {
				last := len(t.Messages) - 1
				if last > 2 && t.Messages[last].Role == "tool" && t.LastError != "" {
					return append([]message{t.Messages[0]}, t.Messages[last-1:]...) // as after an exception: begun anew
				}
				return t.Messages
			}
		},
	}
}
