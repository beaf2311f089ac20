package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var missingConsequence = Rule{
	ID: "missing-consequence", Family: Consequences, Party: Agent, Hears: true, Owes: true,
	Sentence: "An agreed consequence is missing.",
	Correct:  "Brings every agreed consequence about, or hands over what it could not.",
	Covers:   []string{"B14"},
	Duties:   []string{contract.Result},
	end:      func(p *replay) []*Finding { return p.unmet(short) },
}
