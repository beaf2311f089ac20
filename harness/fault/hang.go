package fault

// hang drops the message and keeps the connection open.
type hang struct{}

func hangKind() Kind {
	return Kind{
		Name: "hang", Family: Wire, Place: Final,
		Summary: "drops the message and keeps the connection open and silent, so that the client has to time out",
		Usage:   "hang",
		Where:   "sent (the request never reaches the service), replied (the reply is lost)",
		Stand:   onWire("hang", Sent, Replied),
		Decode: func(r *Reader) Effect {
			r.None("hang")
			return hang{}
		},
	}
}

func (hang) Name() string   { return "hang" }
func (hang) String() string { return "hang" }

func (hang) Words() string {
	return "the message is dropped and the connection stays open and silent"
}

func (hang) Apply(f *Firing) { f.Order.Action = Hang }

func (hang) skips(at Phase) []Phase { return after(at) }
