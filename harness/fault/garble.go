package fault

// garble replaces the body's bytes and keeps its length.
type garble struct{}

func garbleKind() Kind {
	return Kind{
		Name: "garble", Family: Wire, Place: Final,
		Summary: "replaces the bytes of the body and keeps its length, so that the message is whole and makes no sense",
		Usage:   "garble",
		Where:   "sent (of the request), replied (of the reply)",
		Stand:   onWire("garble", Sent, Replied),
		Decode: func(r *Reader) Effect {
			r.None("garble")
			return garble{}
		},
	}
}

func (garble) Name() string   { return "garble" }
func (garble) String() string { return "garble" }
func (garble) Words() string  { return "the bytes of the message's body are replaced" }

func (garble) Apply(f *Firing) { f.Order.Action = Garble }

// A request that makes no sense is not taken on.
func (garble) skips(at Phase) []Phase {
	if at == Sent {
		return []Phase{Validated, Committed}
	}
	return nil
}
