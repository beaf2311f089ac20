package judge

var retryableMisreported = Rule{
	ID: "retryable-misreported", Family: Loop, Party: Agent,
	Sentence: "The model was told that a failure is for good when it is not, or the other way round.",
	Correct:  "Calls retryable what may succeed shortly, and nothing else.",
	Covers:   []string{"A11", "A01"},
	result: func(p *replay, r *result) *Finding {
		f := r.message.Failed
		if f == nil || f.Retryable == nil || r.mayBeData() {
			return nil
		}
		switch how := r.came(); {
		case *f.Retryable && how == permanent:
			return p.tells(r, "it calls the failure of %s retryable, which is for good", r.of)
		case !*f.Retryable && how == transient && !r.stopped():
			return p.tells(r, "it calls the failure of %s final, which may pass", r.of)
		}
		return nil
	},
}

// came is what the failure may have been.
func (r *result) came() outcomes {
	e := r.of
	how := e.last
	if e.times() > 1 {
		how = e.come
	}
	for _, walk := range e.walks {
		how |= walk.come
	}
	switch {
	case how == 0 && (e.misfit != "" || r.stopped()):
		return permanent
	case how == 0, r.q.task.refused:
		return transient | permanent
	}
	return how
}
