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

// whyChanged is the likely cause of another identifier.
func (p *replay) whyChanged(a *act) string {
	switch set := a.set(); {
	case a.own == nil && a.work.task.kills > 0:
		return "the identifier was lost with the process, because it was not stored before the first send"
	case a.own == nil:
		return "each worker makes an identifier of its own, because they do not share their record of the task"
	case set.Only(contract.Conflict):
		return "a conflict was taken for a reason to send again under a new identifier"
	case len(a.work.task.choices) > 0:
		return "a person's decision was taken for leave to send again, and did not say so, or not so often"
	case set.Within(contract.Accepted, contract.Partial, contract.Approved, contract.Declined, contract.Withdrawn):
		return "a request that is not approved yet, or not any more, was taken for one that failed"
	case set.Any(contract.NotExecuted, contract.Refused):
		return "a refused or fenced request was sent again as a new one, without saying which one it supersedes"
	}
	return "the identifier is made for each attempt, and not for each confirmed version"
}

func (p *replay) changedKey(a *act) *Finding {
	f := p.about(a, "sent again as %q; it was sent before as %q, and that identifier was not fenced", a.key, a.prev.key())
	f.Records = append([]int{a.prev.sent.N}, f.Records...)
	if f.Cause == "" {
		f.Cause = p.whyChanged(a)
	}
	return f
}
