package fault

// duplicate gives the service the request twice.
type duplicate struct{}

func duplicateKind() Kind {
	return Kind{
		Name: "duplicate", Family: Wire, Place: Final,
		Summary: "gives the service the request twice at once; the copy's reply is dropped and the copy is at no anchor",
		Usage:   "duplicate",
		Where:   "sent",
		Stand:   onWire("duplicate", Sent),
		Decode: func(r *Reader) Effect {
			r.None("duplicate")
			return duplicate{}
		},
	}
}

func (duplicate) Name() string   { return "duplicate" }
func (duplicate) String() string { return "duplicate" }
func (duplicate) Words() string  { return "the service gets the request twice at once" }

func (duplicate) Apply(f *Firing) { f.Order.Action = Duplicate }
