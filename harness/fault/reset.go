package fault

// reset ends the client's connection with an RST; the message is lost.
type reset struct{}

func resetKind() Kind {
	return Kind{
		Name: "reset", Family: Wire, Place: Final,
		Summary: "ends the client's connection with a reset (RST); the message is lost",
		Usage:   "reset",
		Where:   "sent (the request never reaches the service), replied (the reply is lost)",
		Stand:   onWire("reset", Sent, Replied),
		Decode: func(r *Reader) Effect {
			r.None("reset")
			return reset{}
		},
	}
}

func (reset) Name() string   { return "reset" }
func (reset) String() string { return "reset" }
func (reset) Words() string  { return "the client's connection is reset and the message is lost" }

func (reset) Apply(f *Firing) { f.Order.Action = Reset }

func (reset) skips(at Phase) []Phase { return after(at) }
