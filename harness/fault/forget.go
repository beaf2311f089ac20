package fault

// forget loses the service's deduplication records.
type forget struct{}

func forgetKind() Kind {
	return Kind{
		Name: "forget", Family: Service, Place: With,
		Summary: "the service has lost its deduplication records when this request comes",
		Usage:   "forget: idempotency",
		Where:   "received",
		Stand:   inService("forget", Received),
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				r.Complain("forget what? Write forget: idempotency")
			}
			r.OneOf("thing to forget", []string{"idempotency"})
			return forget{}
		},
	}
}

func (forget) Name() string   { return "forget" }
func (forget) String() string { return "forget: idempotency" }
func (forget) Words() string  { return "the service has lost its deduplication records" }

func (forget) Apply(f *Firing) { f.Order.Forget = true }
