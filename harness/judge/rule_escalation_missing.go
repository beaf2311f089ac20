package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var escalationMissing = Rule{
	ID: "escalation-missing", Family: Escalation, Party: Agent,
	Sentence: "Nobody was told of a matter that no safe step was left for.",
	Correct:  "Hands over when the period is over, when identifiers conflict, or when the authorization is gone.",
	Covers:   []string{"B25", "B10", "A18"},
	state: func(p *replay, s *statement) *Finding {
		if s.result && s.state() == "escalated" && s.work.task.escalations == 0 {
			for _, i := range s.work.task.recent() {
				if demands(p.situations(i, s.work, s.rec.At), contract.KeepVerifying) {
					return nil // verification-abandoned says it better
				}
			}
			return p.on(s, "ended as escalated, but nothing reached the desk")
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
			if t.escalations > 0 || w == nil || t.crashed() != nil {
				continue
			}
			if n := len(t.results); n > 0 && t.results[n-1].Control.State == "escalated" {
				continue
			}
			for _, i := range t.intents() {
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
