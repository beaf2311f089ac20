package agent

func retriesInTranscript() defect {
	return defect{
		Info: Info{
			Name:      "retries-in-transcript",
			Summary:   "Retries leave no trace in the conversation: one call has one tool message.",
			Rule:      "tool-result-missing",
			Scenarios: []string{"search-heals-at-last", "search-unavailable"},
			Covers:    []string{"A06"},
		},
		apply: func(p *policies) {
			p.loop.meanwhile = func(t *talk, f failure) {
				if open := t.pending(); len(open) > 0 {
					m := says("tool", f.content())
					m.ToolCallID = open[0].ID
					t.Messages = append(t.Messages, m)
				}
			}
		},
	}
}
