package fault

import "context"

// cancel cancels the task.
type cancel struct{}

func cancelKind() Kind {
	return Kind{
		Name: "cancel", Family: Agent, Place: Before,
		Summary: "cancels the task: its inbox and its confirmations say so from then on",
		Usage:   "cancel",
		Where:   "every anchor",
		Stand:   anywhere,
		Decode: func(r *Reader) Effect {
			r.None("cancel")
			return cancel{}
		},
	}
}

func (cancel) Name() string   { return "cancel" }
func (cancel) String() string { return "cancel" }
func (cancel) Words() string  { return "the task is cancelled" }

func (cancel) Apply(f *Firing) {
	task := f.Point.Task
	f.Move("cancel", func(ctx context.Context, h Hands) error { return h.Cancel(ctx, task) })
}
