package fault

import (
	"errors"
	"fmt"
)

// hold keeps the message or the request at its point.
type hold struct{ end End }

const holdUsage = "hold: {until: [<anchor>, ...], for: <duration>}"

func holdKind() Kind {
	return Kind{
		Name: "hold", Family: Wire, Place: Before,
		Summary: "keeps the message until the first of its anchors is passed or the time is over, then lets it go on; the client may give up meanwhile",
		Usage:   holdUsage,
		Where:   "every phase of a call but delivered; an event that is emitted",
		Stand:   standHold,
		Decode: func(r *Reader) Effect {
			if !r.Fields("until", "for") {
				return hold{}
			}
			return hold{readEnd(r, holdUsage)}
		},
	}
}

func standHold(a Anchor) error {
	s := a.Last()
	switch {
	case !s.Call():
		if s.Event == EventEmitted {
			return nil
		}
		return fmt.Errorf("hold keeps a message, and %q is none: use a phase of a call, or an event that is emitted", s)
	case s.Phase == Delivered:
		return errors.New("hold comes too late at delivered: the client has the whole reply; use replied")
	}
	return nil
}

func (hold) Name() string     { return "hold" }
func (h hold) String() string { return "hold: {" + h.end.String() + "}" }
func (h hold) Words() string  { return "the message is held " + h.end.Words() }
func (h hold) ends() End      { return h.end }
func (hold) within() []string { return []string{"hold"} }

func (h hold) Apply(f *Firing) { f.Hold("hold", h.end) }
