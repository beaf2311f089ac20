package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var unexpectedEnd = Rule{
	ID: "unexpected-end", Family: Consequences, Party: Agent, Hears: true, Owes: true,
	Sentence: "The task ended in another way than the scenario allows.",
	Correct:  "Ends as the evidence allows: neither giving up what can be finished nor finishing what must be handed over.",
	Covers:   []string{"B06", "B25"},
	Duties:   []string{contract.ResultCancelled},
	end:      func(p *replay) []*Finding { return p.unmet(elsewhere) },
}
