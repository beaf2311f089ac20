package agent

func toolMessageLeftOut() defect {
	return defect{
		Info: Info{
			Name:      "tool-message-left-out",
			Summary:   "Every call that the model asks for is answered by a tool message.",
			Rule:      "tool-result-missing",
			Scenarios: []string{"denied-deletion", "search-times-out"},
			Covers:    []string{"A06"},
		},
		apply: func(p *policies) {
			p.loop.enter = func(t *talk, c toolCall, content string) {
				if t.Failures[c.identity()] > 0 {
					t.Messages = append(t.Messages, says("user", "A tool did not work. Go on."))
					return
				}
				enter(t, c, content)
			}
		},
	}
}
