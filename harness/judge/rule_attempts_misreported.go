package judge

var attemptsMisreported = Rule{
	ID: "attempts-misreported", Family: Loop, Party: Agent,
	Sentence: "The model was told of another number of attempts than were made.",
	Correct:  "Reports the attempts that were really made: one for a refusal, none for a call that never left.",
	Covers:   []string{"A11"},
	result: func(p *replay, r *result) *Finding {
		f := r.message.Failed
		if f == nil || f.Attempts == nil || r.mayBeData() || r.q.crowded {
			return nil
		}
		least, most := p.triedTimes(r)
		if n := *f.Attempts; n < least || n > most {
			found := p.tells(r, "it says that %s was tried %d times; the wire carried %d attempts", r.of, n, len(r.of.sends))
			found.Uncertain = p.starvedAt(r.instants()...) // a client may have given one up before it came to the gate
			return found
		}
		return nil
	},
}

// tried is how often an agent can say that a call was tried: what a library sent
// again by itself it need not know of, a refused connection shows nowhere, and what
// was tried in its place may count or not.
func (p *replay) triedTimes(r *result) (least, most int) {
	e, w := r.of, r.request.by
	least, most = e.made[w], len(e.sends)
	for _, walk := range e.walks {
		least, most = min(least, walk.made[w]), most+len(walk.sends)
	}
	if e.elder != nil && (e.elder.closed == nil || len(e.sends) == 0) {
		least, most = min(least, e.made[w]), most+len(e.elder.sends) // remembered, or made for an answer that broke off
	}
	if e.times() > 1 {
		least = 0
	}
	if r.q.task.refused && e.misfit == "" {
		most = max(most, p.limits.MaxAttempts*e.times()) + len(e.walks)*p.limits.MaxAttempts
	}
	if len(e.sends) > 0 {
		most += r.q.task.kills
	}
	return least, most
}
