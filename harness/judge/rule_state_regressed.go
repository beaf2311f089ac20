package judge

import (
	"sort"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

var stateRegressed = Rule{
	ID: "state-regressed", Family: Truth, Party: Agent, Hears: true,
	Sentence: "A settled result was overwritten by an older message.",
	Correct:  "Orders messages by their number; a late old one changes nothing.",
	Covers:   []string{"B19"},
	Duties:   []string{contract.KeepResult},
	state: func(p *replay, s *statement) *Finding {
		if s.result || s.intent == nil {
			return nil
		}
		set := s.intent.mind(s.work).set
		if !set.Within(contract.Approved, contract.Declined, contract.Withdrawn) {
			return nil
		}
		for _, dep := range s.intent.depends {
			if dep != nil && !dep.mind(s.work).set.Within(contract.Accepted) {
				return nil // the claim may speak of what depends on it
			}
		}
		switch {
		case s.state() == "submitting", s.state() == "pending_verification":
		case s.state() == "tracking" && set.Within(contract.Declined, contract.Withdrawn):
		default:
			return nil
		}
		if p.leaving(s) {
			return nil
		}
		f := p.on(s, "claims %s after the submission was known to be %s", s.state(), set)
		f.Uncertain = p.starvedAt(s.rec.At) // what it sent before may come late to the gate
		return f
	},
}

// leaving tells whether a write may have left before a statement that the gate
// noticed only after it: the claim may speak of that.
func (p *replay) leaving(s *statement) bool {
	noise, all := p.blur(s.rec.At), p.index.inOrder
	from := sort.Search(len(all), func(n int) bool { return all[n].sent.N > s.rec.N })
	for _, c := range all[from:min(len(all), from+maxOlder)] {
		if c.sent.Work == s.work.id && c.op.Write && c.first() <= s.rec.At+noise {
			return true
		}
	}
	return false
}
