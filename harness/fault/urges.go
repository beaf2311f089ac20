package fault

// urges makes the model press for something that it has no say in.
type urges struct{ what string }

func urgesKind() Kind {
	return Kind{
		Name: "urges", Family: Model, Place: Final, Needs: []string{"model_loop"},
		Summary: "the model presses for a tool, by calling it, or for an action of the contract, in words: it may suggest and cannot make it happen",
		Usage:   "urges: <tool or action>",
		Where:   "received of model.chat",
		Stand:   ofModel("urges"),
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				r.Complain("what does it urge? Write urges: issue_refund, or urges: resubmit")
			}
			return urges{r.OneOf("tool or action", Urgings())}
		},
	}
}

func (urges) Name() string      { return "urges" }
func (u urges) String() string  { return "urges: " + u.what }
func (u urges) Words() string   { return "the model urges " + u.what }
func (u urges) Apply(f *Firing) { f.Order.Speech = &Speech{Urges: u.what} }
