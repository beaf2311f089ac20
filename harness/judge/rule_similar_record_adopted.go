package judge

var similarRecordAdopted = Rule{
	ID: "similar-record-adopted", Family: Basis, Party: Agent, Hears: true,
	Sentence: "A record was adopted that only a search for similar ones had shown.",
	Correct:  "Looks up by reference or by its own identifier; a similar record proves nothing.",
	Covers:   []string{"B17"},
	state: func(p *replay, s *statement) *Finding {
		if s.intent != nil && onlySearched(s.work.task, s.rec.Control.Ref) {
			return p.on(s, "claims %s, which only a search by applicant and amount has shown", s.rec.Control.Ref)
		}
		return nil
	},
}

// onlySearched tells whether nothing but a search has told the task of a reference.
func onlySearched(t *task, ref string) bool { return ref != "" && t.found[ref] && !t.told[ref] }
