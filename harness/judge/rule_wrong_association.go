package judge

var wrongAssociation = Rule{
	ID: "wrong-association", Family: Consequences, Party: Agent, Hears: true,
	Sentence: "A record that is not the intent's own was taken for it.",
	Correct:  "Associates a record only when identifier, object, version and digest match.",
	Covers:   []string{"B17", "B18", "B19"},
	state: func(p *replay, s *statement) *Finding {
		if p.foreign(s) && !onlySearched(s.work.task, s.rec.Control.Ref) {
			return p.on(s, "claims %s as the record of %s", s.rec.Control.Ref, s.intent)
		}
		return nil
	},
	act: func(p *replay, a *act) *Finding {
		if a.intent.form != purchase || !a.writes() {
			return nil
		}
		if ref := a.call.stated().Approval; ref != "" && a.work.task.refs[ref] != a.intent.of {
			return p.about(a, "bought on %s, which is not the record of the %s", ref, a.intent.of)
		}
		return nil
	},
}

// foreign tells whether a claim names a record that is not the intent's own.
func (p *replay) foreign(s *statement) bool {
	ref := s.rec.Control.Ref
	if s.intent == nil || ref == "" {
		return false
	}
	own := s.work.task.refs[ref]
	return own == nil || own != s.intent && own.of != s.intent
}
