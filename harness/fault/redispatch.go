package fault

import "context"

// Redispatch is the name of the effect that gives a task to a second process.
const Redispatch = "redispatch"

// redispatch gives the task to a second process.
type redispatch struct{}

func redispatchKind() Kind {
	return Kind{
		Name: Redispatch, Family: Agent, Place: Before, Needs: []string{"restart"},
		Summary: "gives the same task to a second process while the first still runs, as after a lost lease",
		Usage:   "redispatch",
		Where:   "every anchor",
		Stand:   anywhere,
		Decode: func(r *Reader) Effect {
			r.None("redispatch")
			return redispatch{}
		},
	}
}

func (redispatch) Name() string   { return "redispatch" }
func (redispatch) String() string { return Redispatch }

func (redispatch) Words() string {
	return "the task is given to a second process while the first still runs"
}

func (redispatch) Apply(f *Firing) {
	task := f.Point.Task
	f.MoveUntil("redispatch", func(ctx context.Context, h Hands) (<-chan struct{}, error) { return h.Redispatch(ctx, task) })
}
