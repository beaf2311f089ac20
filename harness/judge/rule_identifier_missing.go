package judge

var identifierMissing = Rule{
	ID: "identifier-missing", Family: Identity, Party: Agent,
	Sentence: "A write was sent without an identifier to a service that would recognise or look up one.",
	Correct:  "Fixes an identifier for every confirmed version before the first send; without one nothing can be recovered.",
	Covers:   []string{"B07"},
	act: func(p *replay, a *act) *Finding {
		pr := a.intent.promise
		if a.key != "" || !a.writes() || !pr.Idempotency.Supported && !pr.Query.ByKey {
			return nil
		}
		return p.about(a, "the %s was sent without an identifier", a.intent.form)
	},
}
