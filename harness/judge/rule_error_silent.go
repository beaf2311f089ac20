package judge

var errorSilent = Rule{
	ID: "error-silent", Family: Loop, Party: Agent,
	Sentence: "The model was told nothing of a failure.",
	Correct:  "Says what failed and whether it may be tried again; an empty result invites the model to invent one.",
	Covers:   []string{"A12", "A11"},
	result: func(p *replay, r *result) *Finding {
		switch f := r.message.Failed; {
		case f == nil && r.message.Empty && r.known():
			return p.tells(r, "the tool message about the failed %s is empty", r.of)
		case f != nil && f.Error == "" && !f.Message && !r.mayBeData():
			return p.tells(r, "the tool message about %s is an error that says nothing", r.of)
		}
		return nil
	},
}

// mayBeData tells whether the message may be what the tool itself answered.
func (r *result) mayBeData() bool { return len(r.of.sends) > 0 && !r.of.allFailed() }
