package judge

var retryAfterIgnored = Rule{
	ID: "retry-after-ignored", Family: Bounds, Party: Agent,
	Sentence: "An attempt left before the wait that the service had asked for was over.",
	Correct:  "Obeys Retry-After.",
	Covers:   []string{"A09", "B27"},
	act: func(p *replay, a *act) *Finding {
		if !a.again() || a.call.resend || !asksToWait(a.prev) || classify(a.prev, p.noise) != delivered {
			return nil
		}
		least := a.prev.replied.Wire.RetryAfter
		wait := a.at - a.prev.passing.At
		if wait >= least-p.noise {
			return nil
		}
		f := p.about(a, "sent %s after a reply that asked to wait %s", millis(wait), millis(least))
		f.Records = append(a.prev.records(), f.Records...)
		return p.timed(f, least-wait)
	},
}

// asksToWait tells whether the reply of c names a wait.
func asksToWait(c *call) bool { return c.replied != nil && c.replied.Wire.RetryAfter > 0 }
