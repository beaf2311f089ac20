package fault

import "context"

// pause stops the agent's process for a while.
type pause struct{ d Span }

func pauseKind() Kind {
	return Kind{
		Name: "pause", Family: Agent, Place: Before, Needs: []string{"restart"},
		Summary: "stops the agent's process that does this work for a while; time goes on without it",
		Usage:   "pause: <duration>",
		Where:   "every anchor",
		Stand:   anywhere,
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				r.Complain("for how long? Write pause: 2 attempt_timeout")
			}
			return pause{r.Span()}
		},
	}
}

func (pause) Name() string     { return "pause" }
func (p pause) String() string { return "pause: " + p.d.String() }
func (p pause) Words() string  { return "the agent's process is stopped for " + p.d.String() }

func (p pause) Apply(f *Firing) {
	task, work, d := f.Point.Task, f.Point.Work, p.d.Of(f.Limits)
	f.MoveFor("pause", d, func(ctx context.Context, h Hands) error { return h.Pause(ctx, task, work, d) })
}
