package judge

var retryAfterIgnored = Rule{
	ID: "retry-after-ignored", Family: Bounds, Party: Agent,
	Sentence: "An attempt left before the wait that the service had asked for was over.",
	Correct:  "Obeys Retry-After.",
	Covers:   []string{"A09", "B27", "B37"},
	act: func(p *replay, a *act) *Finding {
		if !a.resends() || a.call.resend {
			return nil
		}
		asked := a.intent.mind(a.work).wait
		if asked == nil {
			return nil
		}
		least, wait := asked.wait(), a.at-asked.passing.At
		if wait >= least-p.blur(asked.passing.At, a.at) {
			return nil
		}
		f := p.about(a, "sent %s after a reply that asked to wait %s", millis(wait), millis(least))
		f.Records = append(asked.records(), f.Records...)
		return p.timed(f, least-wait, asked.passing.At, a.at)
	},
	attempt: func(p *replay, a *attempt) *Finding {
		if a.prev == nil || a.call.resend || a.prev.wait() == 0 || p.took(a.prev) != delivered || p.over(a) != no || a.of.times() > 1 || a.q.crowded {
			return nil
		}
		least, wait := a.prev.wait(), a.call.first()-a.prev.passing.At
		if wait >= least-p.blur(a.prev.passing.At, a.call.first()) {
			return nil
		}
		f := p.tries(a, "sent %s after a reply that asked to wait %s", millis(wait), millis(least))
		return p.timed(f, least-wait, a.prev.passing.At, a.call.first())
	},
}
