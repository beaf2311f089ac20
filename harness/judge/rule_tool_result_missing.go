package judge

import "strings"

var toolResultMissing = Rule{
	ID: "tool-result-missing", Family: Loop, Party: Agent,
	Sentence: "A call that the model asked for has no tool message, or several.",
	Correct:  "Puts exactly one tool message for each call into the conversation: a result or an error, however often it was tried.",
	Covers:   []string{"A06", "A04"},
	hearing: func(p *replay, h *hearing) *Finding {
		why := ""
		switch {
		case len(h.none) > 0:
			why = "no tool message answers the call of " + strings.Join(h.none, ", ")
		case len(h.more) > 0:
			why = "more than one tool message answers the call of " + strings.Join(h.more, ", ")
		default:
			return nil
		}
		f := p.inQuestion(h.request.by, h.request.first(), "%s", why)
		f.Action, f.Records = h.request.op.String(), []int{h.answer.call.sent.N, h.request.sent.N}
		return f
	},
}
