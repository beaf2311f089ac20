package judge

var identicalCallRepeated = Rule{
	ID: "identical-call-repeated", Family: Loop, Party: Agent,
	Sentence: "A call that had failed for good was made again, and the model had not asked for it again.",
	Correct:  "Ends with the last attempt: what comes next is the model's turn, or the declared fallback.",
	Covers:   []string{"A13", "B27"},
	attempt: func(p *replay, a *attempt) *Finding {
		e := a.of
		if a.q.crowded || e.turn != nil || p.over(a) == no || p.opened(a) || e.come.may(succeeded) {
			return nil
		}
		f := p.tries(a, "%s was called again with the same arguments after the model had been told that it failed", e.tool)
		f.Records = append([]int{e.closed.sent.N}, f.Records...)
		f.Uncertain = p.over(a) != yes
		return f
	},
}
