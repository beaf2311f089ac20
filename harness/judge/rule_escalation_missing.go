package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var escalationMissing = Rule{
	ID: "escalation-missing", Family: Escalation, Party: Agent, Hears: true, Owes: true,
	Sentence: "Nobody was told of a matter that no safe step was left for.",
	Correct:  "Hands over when the period is over, when identifiers conflict, or when the authorization is gone.",
	Covers:   []string{"B25", "B10", "A18"},
	Duties:   []string{contract.MustEscalate},
	state: func(p *replay, s *statement) *Finding {
		if q := s.answers(); q != nil && len(s.work.task.escalated) == 0 {
			return p.unescalated(s, q)
		}
		if s.result && s.state() == "escalated" && len(s.work.task.escalated) == 0 {
			for _, i := range s.work.task.recent() {
				if demands(p.situations(i, s.work, s.rec.At), contract.KeepVerifying) {
					return nil // verification-abandoned says it better
				}
			}
			f := p.on(s, "ended as escalated, but nothing reached the desk")
			f.Uncertain = p.starvedAt(s.rec.At) // a client may have given up before its call came to the gate
			return f
		}
		return nil
	},
	end: func(p *replay) []*Finding {
		if p.interrupted() {
			return nil
		}
		var out []*Finding
		for _, t := range p.order {
			w := t.lastWork()
			if len(t.escalated) > 0 || w == nil || t.crashed() != nil {
				continue
			}
			if n := len(t.results); n > 0 && t.results[n-1].Control.State == "escalated" {
				continue
			}
			for _, i := range t.intents() {
				if p.unnoticed(i, w) {
					continue
				}
				if i.of != nil && i.mind(w).set.Has(contract.Unsent) {
					continue // nothing of it can have had an effect, and nothing of it is owed
				}
				if !demands(p.situations(i, w, p.index.end.At), contract.MustEscalate) {
					continue
				}
				out = append(out, &Finding{
					Task: t.id, Intent: i.String(), Row: p.rowName(i, w, p.index.end.At), Records: append(i.sent(), p.index.end.N),
					Observed: "the run ended with the intent " + i.mind(w).set.String() + " and nobody was told",
				})
			}
		}
		return out
	},
}

// unescalated finds an answer that was given although only a person can go on.
func (p *replay) unescalated(s *statement, q *question) *Finding {
	e := p.brokenAt(q)
	if e == nil || q.crowded {
		return nil
	}
	f := p.inQuestion(s.work, s.rec.At, "the breaker opened for %s, which had failed %d times with the same arguments, and nobody was told", e.tool, q.failed[e.wish])
	f.Action, f.Intent, f.Records = "result:answered", e.tool, []int{s.rec.N}
	return f
}

// unnoticed tells whether an intent is a newer version that the worker need not
// have known of when it ended the task.
func (p *replay) unnoticed(i *intent, w *work) bool {
	t := i.task
	older := t.submission(i.confirm.id, i.confirm.version-1)
	return i.form == submission && older != nil && len(t.results) > 0 && p.revised(older, w, t.results[0].At) != yes
}
