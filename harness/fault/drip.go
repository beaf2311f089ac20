package fault

// drip lets the message through byte by byte.
type drip struct{ pace Span }

// dripTimes is the pace of a drip that names none: forty bytes an attempt, so
// that even the shortest reply outlasts its client's patience.
const dripTimes = 0.025

func dripKind() Kind {
	return Kind{
		Name: "drip", Family: Wire, Place: Final,
		Summary: "lets the message through byte by byte, 0.025 attempt_timeout apart unless it says otherwise",
		Usage:   "drip, or drip: <duration>",
		Where:   "sent (the request), replied (the reply)",
		Stand:   onWire("drip", Sent, Replied),
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				return drip{}
			}
			return drip{r.Span()}
		},
	}
}

func (drip) Name() string { return "drip" }

func (d drip) String() string {
	if d.pace.IsZero() {
		return "drip"
	}
	return "drip: " + d.pace.String()
}

func (d drip) gap() Span {
	if d.pace.IsZero() {
		return Span{Times: dripTimes, Limit: "attempt_timeout"}
	}
	return d.pace
}

func (d drip) Words() string {
	return "the message passes byte by byte, " + d.gap().String() + " apart"
}

func (d drip) Apply(f *Firing) { f.Order.Action, f.Order.Every = Drip, d.gap().Of(f.Limits) }
