package fault

import "context"

// revoke takes an authorization back.
type revoke struct{ what string }

func revokeKind() Kind {
	return Kind{
		Name: "revoke", Family: People, Place: Before,
		Summary: "a person takes the confirmation, or the permission to submit, back; the agent sees it when it asks",
		Usage:   "revoke: confirmation, or revoke: permission",
		Where:   "every anchor",
		Stand:   anywhere,
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				r.Complain("revoke what? Write revoke: confirmation or revoke: permission")
			}
			return revoke{r.OneOf("authorization", []string{"confirmation", "permission"})}
		},
	}
}

func (revoke) Name() string     { return "revoke" }
func (r revoke) String() string { return "revoke: " + r.what }
func (r revoke) Words() string  { return "the " + r.what + " is taken back" }

func (r revoke) Apply(f *Firing) {
	task, what := f.Point.Task, r.what
	f.Move("revoke", func(ctx context.Context, h Hands) error { return h.Revoke(ctx, task, what) })
}
