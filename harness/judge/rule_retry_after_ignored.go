package judge

var retryAfterIgnored = Rule{
	ID: "retry-after-ignored", Family: Bounds, Party: Agent,
	Sentence: "An attempt left before the wait that the service had asked for was over.",
	Correct:  "Obeys Retry-After.",
	Covers:   []string{"A09", "B27"},
	act: func(p *replay, a *act) *Finding {
		if !a.resends() || a.call.resend {
			return nil
		}
		asked := a.intent.mind(a.work).wait
		if asked == nil {
			return nil
		}
		least, wait := asked.wait(), a.at-asked.passing.At
		if wait >= least-p.noise {
			return nil
		}
		f := p.about(a, "sent %s after a reply that asked to wait %s", millis(wait), millis(least))
		f.Records = append(asked.records(), f.Records...)
		return p.timed(f, least-wait)
	},
}
