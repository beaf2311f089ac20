package fault

import "strings"

// malformed damages the arguments of the calls that the model asks for.
type malformed struct{ how string }

func malformedKind() Kind {
	return Kind{
		Name: "malformed", Family: Model, Place: Final, Needs: []string{"model_loop"},
		Summary: "the calls of the model's next turn have arguments that their tool's schema refuses, or (json) that are no JSON; it gives the turn again, as it should be, when it is told",
		Usage:   "malformed, or malformed: " + strings.Join(Damages(), ", or malformed: "),
		Where:   "received of model.chat, of a turn that calls tools",
		Stand:   ofModel("malformed"),
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				return malformed{MisfitSchema}
			}
			return malformed{r.OneOf("damage", Damages())}
		},
	}
}

func (malformed) Name() string     { return "malformed" }
func (m malformed) String() string { return "malformed: " + m.how }

func (m malformed) Words() string {
	if m.how == NoJSON {
		return "the model asks for its calls with arguments that are no JSON"
	}
	return "the model asks for its calls with arguments that their schema refuses"
}

func (m malformed) Apply(f *Firing) { f.Order.Speech = &Speech{Malformed: m.how} }
