package fault

// closing ends the client's connection with a FIN; the message is lost.
type closing struct{}

func closeKind() Kind {
	return Kind{
		Name: "close", Family: Wire, Place: Final,
		Summary: "ends the client's connection in order (FIN); the message is lost",
		Usage:   "close",
		Where:   "sent (the request never reaches the service), replied (the reply is lost)",
		Stand:   onWire("close", Sent, Replied),
		Decode: func(r *Reader) Effect {
			r.None("close")
			return closing{}
		},
	}
}

func (closing) Name() string   { return "close" }
func (closing) String() string { return "close" }
func (closing) Words() string  { return "the client's connection is closed and the message is lost" }

func (closing) Apply(f *Firing) { f.Order.Action = Close }

func (closing) skips(at Phase) []Phase { return after(at) }
