package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var acceptanceAssumed = Rule{
	ID: "acceptance-assumed", Family: Basis, Party: Agent, Hears: true,
	Sentence: "A queue number or an empty answer was taken for acceptance.",
	Correct:  "Asks for the real acceptance; a gateway's queue number proves nothing.",
	Covers:   []string{"B05"},
	state: func(p *replay, s *statement) *Finding {
		if s.result || s.intent == nil || s.state() != "tracking" || p.mayBeAccepted(s) {
			return nil
		}
		c := s.intent.stray
		if c == nil {
			return nil
		}
		f := p.on(s, "claims tracking on a reply that names no record")
		f.Records = append(c.records(), f.Records...)
		return f
	},
}

// mayBeAccepted tells whether the evidence of the worker permits that a record exists.
func (p *replay) mayBeAccepted(s *statement) bool {
	return s.intent.mind(s.work).set.Any(contract.Accepted, contract.Partial, contract.Approved, contract.Declined, contract.Withdrawn)
}
