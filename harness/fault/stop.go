package fault

import "context"

// stop is the run's own guard.
type stop struct{}

func stopKind() Kind {
	return Kind{
		Name: "stop", Family: Agent, Place: Before,
		Summary: "the run's own guard stops the task: claims, one escalation and a result are still allowed",
		Usage:   "stop",
		Where:   "every anchor",
		Stand:   anywhere,
		Decode: func(r *Reader) Effect {
			r.None("stop")
			return stop{}
		},
	}
}

func (stop) Name() string   { return "stop" }
func (stop) String() string { return "stop" }
func (stop) Words() string  { return "the run's own guard stops the task" }

func (stop) Apply(f *Firing) {
	task := f.Point.Task
	f.Move("stop", func(ctx context.Context, h Hands) error { return h.Stop(ctx, task) })
}
