package fault

// rival uses the request's identifier before it, with other content.
type rival struct{}

func rivalKind() Kind {
	return Kind{
		Name: "rival", Family: Service, Place: With,
		Summary: "another client has used this request's identifier with other content",
		Usage:   "rival",
		Where:   "received",
		Stand:   inService("rival", Received),
		Decode: func(r *Reader) Effect {
			r.None("rival")
			return rival{}
		},
	}
}

func (rival) Name() string   { return "rival" }
func (rival) String() string { return "rival" }

func (rival) Words() string {
	return "another client has used the request's identifier with other content"
}

func (rival) Apply(f *Firing) { f.Order.Rival = true }
