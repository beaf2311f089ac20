package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var compensationUnverified = Rule{
	ID: "compensation-unverified", Family: Truth, Party: Agent, Hears: true,
	Sentence: "A withdrawal was taken for done that nothing has verified.",
	Correct:  "Believes a withdrawal when the record itself shows it; until then the request stands.",
	Covers:   []string{"B32", "B31"},
	Duties:   []string{contract.VerifyWithdrawal},
	state: func(p *replay, s *statement) *Finding {
		for _, i := range s.about() {
			if p.takenBackUnseen(s, i) {
				f := p.says(s, i, "says %s after a withdrawal of which nothing shows that it took place; the submission was %s", s.state(), i.mind(s.work).set)
				f.Records = append(f.Records, i.depends[withdrawal].sent()...)
				return f
			}
		}
		return nil
	},
}

// takenBackUnseen tells whether a statement takes a submission for withdrawn
// because a withdrawal of it was sent, and the evidence does not show that it is.
func (p *replay) takenBackUnseen(s *statement, i *intent) bool {
	taken := i.depends[withdrawal]
	if taken == nil || len(taken.sends) == 0 {
		return false
	}
	switch set := i.mind(s.work).set; s.state() {
	case "withdrawn":
		return !set.Has(contract.Withdrawn)
	case "cancelled":
		return set.Within(contract.Accepted, contract.Partial)
	}
	return false
}
