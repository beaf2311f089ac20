package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var receiptDropped = Rule{
	ID: "receipt-dropped", Family: Consequences, Party: Agent, Hears: true,
	Sentence: "A cancelled task was ended as if nothing had been sent.",
	Correct:  "Goes on verifying after a cancellation; keeps a late success as real.",
	Covers:   []string{"B30", "B31", "C5"},
	state: func(p *replay, s *statement) *Finding {
		if s.state() != "cancelled" {
			return nil
		}
		for _, i := range s.about() {
			if p.takenBackUnseen(s, i) {
				continue
			}
			set := i.mind(s.work).set
			if !set.Any(contract.Unsent, contract.Refused, contract.NotExecuted, contract.Withdrawn, contract.Declined, contract.Approved) {
				return p.says(s, i, "says cancelled while the submission was %s", set)
			}
			if bought := i.depends[purchase]; bought != nil {
				if set := bought.mind(s.work).set; set.Within(contract.InDoubt, contract.Conflict, contract.Accepted) {
					return p.says(s, bought, "says cancelled while the purchase was %s", set)
				}
			}
		}
		return nil
	},
}
