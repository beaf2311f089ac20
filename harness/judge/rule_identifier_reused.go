package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

var identifierReused = Rule{
	ID: "identifier-reused", Family: Identity, Party: Agent,
	Sentence: "One identifier was used for two intents.",
	Correct:  "Makes a new identifier for every confirmed version and for every action.",
	Covers:   []string{"B09", "B15", "B14", "B32"},
	Duties:   []string{contract.NewIdentifier},
	act: func(p *replay, a *act) *Finding {
		if a.reused != nil {
			return p.about(a, "identifier %q already belongs to the %s", a.key, a.reused)
		}
		return nil
	},
}
