package judge

var finishedStepRepeated = Rule{
	ID: "finished-step-repeated", Family: Loop, Party: Agent,
	Sentence: "A step that was finished was made again.",
	Correct:  "Has every finished step on disk before the next, and goes on after it; what has succeeded is not tried again.",
	Covers:   []string{"A16", "A02"},
	attempt: func(p *replay, a *attempt) *Finding {
		e := a.of
		switch {
		case a.q.crowded || a.side:
			return nil
		case len(a.lost) > 0 && a.repeats():
			f := p.tries(a, "the model was asked again for a turn that it had answered")
			f.Records = append([]int{a.lost[0].call.sent.N}, f.Records...)
			f.Uncertain = a.unsure
			return f
		case e.turn != nil || p.opened(a):
			return nil
		}
		again := p.finished(a)
		if e.come.may(succeeded) {
			again = max(again, p.over(a))
		}
		if again != no {
			f := p.tries(a, "%s was called again with the same arguments after it had succeeded", e.tool)
			for _, c := range e.served[:min(len(e.served), 2)] {
				f.Records = append([]int{c.sent.N}, f.Records...)
			}
			f.Uncertain = again != yes
			return f
		}
		return nil
	},
}
