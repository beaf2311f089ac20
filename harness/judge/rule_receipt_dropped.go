package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var receiptDropped = Rule{
	ID: "receipt-dropped", Family: Consequences, Party: Agent,
	Sentence: "A cancelled task was ended as if nothing had been sent.",
	Correct:  "Goes on verifying after a cancellation; keeps a late success as real.",
	Covers:   []string{"B30", "B31", "C5"},
	state: func(p *replay, s *statement) *Finding {
		if s.state() != "cancelled" {
			return nil
		}
		about := s.work.task.current()
		if s.intent != nil {
			about = []*intent{s.intent}
		}
		for _, i := range about {
			set := i.mind(s.work).set
			if set.Any(contract.Unsent, contract.Refused, contract.NotExecuted, contract.Withdrawn, contract.Declined, contract.Approved) {
				continue
			}
			f := p.on(s, "says cancelled while the submission was %s", set)
			f.Intent = i.String()
			f.Row = p.rowName(i, s.work, s.rec.At)
			for _, c := range i.sends {
				f.Records = append(f.Records, c.sent.N)
			}
			return f
		}
		return nil
	},
}
