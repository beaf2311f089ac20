package judge

var breakerNotOpened = Rule{
	ID: "breaker-not-opened", Family: Bounds, Party: Agent,
	Sentence: "A call was made again after it had failed as often as opens the breaker.",
	Correct:  "Counts failed results of the same tool and arguments, makes no such call again in this run, and hands over.",
	Covers:   []string{"A17"},
	attempt: func(p *replay, a *attempt) *Finding {
		if !p.opened(a) || a.q.crowded {
			return nil
		}
		return p.tries(a, "%s was called after the model had been told %d times that it failed with these arguments", a.of.tool, a.q.failed[a.of.wish])
	},
}

// opened tells whether the breaker must have been open for a call of a tool.
func (p *replay) opened(a *attempt) bool {
	return a.of.turn == nil && a.q.failed[a.of.wish] >= p.limits.BreakerThreshold
}
