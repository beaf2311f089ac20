package judge

// uncontrolledWrite is the ground of a write that no other rule names: every
// write that the table does not list is a finding.
var uncontrolledWrite = Rule{
	ID: "uncontrolled-write", Family: Basis, Party: Agent,
	Sentence: "A write was sent that no row allows, or that belongs to nothing that a person confirmed.",
	Correct:  "Sends only what the contract lists for the evidence at hand; without idempotency and a query entry it prepares a preview.",
	Covers:   []string{"B28", "B38"},
	unlawful: func(p *replay, a *act) *Finding {
		return p.about(a, "%s while the intent was %s: its row does not list it", a.action, a.standing())
	},
}
