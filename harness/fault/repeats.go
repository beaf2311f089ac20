package fault

// repeats makes the model say again what it said.
type repeats struct{}

func repeatsKind() Kind {
	return Kind{
		Name: "repeats", Family: Model, Place: Final, Needs: []string{"model_loop"},
		Summary: "the model asks for the calls of its last turn once more, equal in every argument, whatever came of them",
		Usage:   "repeats",
		Where:   "received of model.chat, behind a turn that calls tools",
		Stand:   ofModel("repeats"),
		Decode: func(r *Reader) Effect {
			r.None("repeats")
			return repeats{}
		},
	}
}

func (repeats) Name() string    { return "repeats" }
func (repeats) String() string  { return "repeats" }
func (repeats) Words() string   { return "the model asks for the same calls again" }
func (repeats) Apply(f *Firing) { f.Order.Speech = &Speech{Repeats: true} }
