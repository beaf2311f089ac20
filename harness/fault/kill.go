package fault

import (
	"context"
	"time"
)

// kill ends the agent's process.
type kill struct{ downFor Span }

func killKind() Kind {
	return Kind{
		Name: "kill", Family: Agent, Place: Before, Needs: []string{"restart"},
		Summary: "ends the agent's process that does this work with SIGKILL and starts another for the same task, at once or after down_for; without another effect at the same anchor the message goes on",
		Usage:   "kill, or kill: {down_for: <duration>}",
		Where:   "every anchor",
		Stand:   anywhere,
		Decode: func(r *Reader) Effect {
			if !r.Fields("down_for") {
				return kill{}
			}
			return kill{r.Field("down_for").Span()}
		},
	}
}

func (kill) Name() string { return "kill" }

func (k kill) String() string {
	if k.downFor.IsZero() {
		return "kill"
	}
	return "kill: {down_for: " + k.downFor.String() + "}"
}

func (k kill) Words() string {
	if k.downFor.IsZero() {
		return "the agent's process is killed and another is started"
	}
	return "the agent's process is killed and another is started after " + k.downFor.String()
}

func (k kill) Apply(f *Firing) {
	task, work := f.Point.Task, f.Point.Work
	var downFor time.Duration
	if !k.downFor.IsZero() {
		downFor = k.downFor.Of(f.Limits)
	}
	f.Move("kill", func(ctx context.Context, h Hands) error { return h.Kill(ctx, task, work, downFor) })
}

// The process that would take the reply is dead.
func (kill) skips(at Phase) []Phase {
	if at == Delivered {
		return nil
	}
	return []Phase{Delivered}
}
