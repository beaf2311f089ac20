package fault

import (
	"context"
	"errors"
)

// decide is a person's answer to an escalation.
type decide struct{ choice string }

func decideKind() Kind {
	return Kind{
		Name: "decide", Family: People, Place: Before, Needs: []string{"decisions", "escalate"},
		Summary: "a person answers the escalation: wait, close the matter, or resubmit",
		Usage:   "decide: wait, or decide: close, or decide: resubmit",
		Where:   "after an escalation: agent escalates, or a phase of desk.escalate from committed on",
		Stand:   standDecide,
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				r.Complain("decide what? Write decide: wait, decide: close or decide: resubmit")
			}
			return decide{r.OneOf("decision", []string{"wait", "close", "resubmit"})}
		},
	}
}

func standDecide(a Anchor) error {
	for _, s := range a.Steps {
		escalated := s.Service == "desk" && s.Operation == "escalate" && (s.Phase == Committed || s.Phase == Replied || s.Phase == Delivered)
		if s.Event == AgentEscalates || escalated || (s.Event == AgentClaims && s.Detail == "escalated") {
			return nil
		}
	}
	return errors.New(`decide answers an escalation, and none has come before: use "agent escalates", perhaps followed by "and then"`)
}

func (decide) Name() string     { return "decide" }
func (d decide) String() string { return "decide: " + d.choice }
func (d decide) Words() string  { return "a person decides: " + d.choice }

func (d decide) Apply(f *Firing) {
	task, choice := f.Point.Task, d.choice
	f.Move("decide", func(ctx context.Context, h Hands) error { return h.Decide(ctx, task, choice) })
}
