package judge

var malformedCallSent = Rule{
	ID: "malformed-call-sent", Family: Loop, Party: Agent,
	Sentence: "A call whose arguments fail the tool's schema was sent to the service.",
	Correct:  "Checks the arguments first, and gives the model what is wrong with them as the result.",
	Covers:   []string{"A04", "A01"},
	attempt: func(p *replay, a *attempt) *Finding {
		tool := a.call.stated().Tool
		if tool == nil || tool.Misfit == "" || !a.call.sent.Wire.Whole {
			return nil
		}
		return p.tries(a, "%s was called with arguments that do not fit: %s", tool.Name, tool.Misfit)
	},
}
