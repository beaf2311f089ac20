package judge

import "strings"

var transcriptLost = Rule{
	ID: "transcript-lost", Family: Loop, Party: Agent,
	Sentence: "The model was sent a conversation from which an earlier turn is gone.",
	Correct:  "Keeps every turn: a failure becomes a tool message, and the conversation goes on.",
	Covers:   []string{"A06", "A07"},
	attempt: func(p *replay, a *attempt) *Finding {
		switch {
		case a.side || a.q.crowded || len(a.lost) > 0 && a.repeats():
			return nil
		case a.forgot:
			return p.tries(a, "the question itself is no longer in the conversation")
		case len(a.lost) > 0:
			f := p.tries(a, "%d of the model's turns are no longer in the conversation", len(a.lost))
			for _, lost := range a.lost[:min(len(a.lost), maxRecords-1)] {
				f.Records = append([]int{lost.call.sent.N}, f.Records...)
			}
			f.Uncertain = a.unsure
			return f
		}
		return nil
	},
	hearing: func(p *replay, h *hearing) *Finding {
		if len(h.lost) == 0 {
			return nil
		}
		f := p.inQuestion(h.request.by, h.request.first(), "the result of %s was in the conversation, and is gone", strings.Join(h.lost, ", "))
		f.Action, f.Records = h.request.op.String(), []int{h.answer.call.sent.N, h.request.sent.N}
		return f
	},
}

// repeats tells whether a turn that the model has answered is made again: after
// a restart, or with the same conversation.
func (a *attempt) repeats() bool {
	if a.same {
		return true
	}
	before := a.q.request
	if before == nil || before.by == a.call.by {
		return false
	}
	newest := -1
	if after := a.of.turn.after; after != nil {
		newest = after.n
	}
	for _, lost := range a.lost {
		if lost.n > newest {
			return true
		}
	}
	return false
}
