package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var identifierChanged = Rule{
	ID: "identifier-changed", Family: Identity, Party: Agent,
	Sentence: "The same confirmed version was sent again under a new identifier.",
	Correct:  "Uses one identifier for one confirmed version, in every resend, after every restart; a successor only after the old one was fenced.",
	Covers:   []string{"B07", "B08", "B21"},
	unlawful: func(p *replay, a *act) *Finding {
		if a.action != contract.Resubmit {
			return nil
		}
		return p.changedKey(a)
	},
	act: func(p *replay, a *act) *Finding {
		// The row of a decision lists a resubmission, but only the one that the person chose.
		if a.action != contract.Resubmit || !a.lawful {
			return nil
		}
		if t := a.work.task; t.choices["resubmit"]*(1+a.work.beside()) > t.resubmitted { // a worker beside it may follow the same word
			return nil
		}
		return p.changedKey(a)
	},
}

func (p *replay) changedKey(a *act) *Finding {
	f := p.about(a, "sent again as %q; it was sent before as %q, and that identifier was not fenced", a.key, a.prev.key())
	f.Records = append([]int{a.prev.sent.N}, f.Records...)
	if f.Cause == "" {
		f.Cause = "the identifier is made for each attempt, or was lost with the process because it was not stored before the first send"
	}
	return f
}
