package fault

import (
	"fmt"
	"strings"
)

// event says what becomes of an event that a service puts out.
type event struct{ fate string }

// late is the fate that is no [Fate]: the event waits, and that is all.
const late = "late"

// LateTimes is the part of the verification period by which a late event is late.
const LateTimes = 0.25

func fates() []string { return []string{late, string(Twice), string(Overtaken), string(Lost)} }

func eventKind() Kind {
	return Kind{
		Name: "event", Family: Service, Place: Final,
		Summary: fmt.Sprintf("the event comes late (by %v verification_period; hold it for another time), twice, after the next event of its task, or not at all; what it tells of is so all the same", LateTimes),
		Usage:   "event: " + strings.Join(fates(), ", or event: "),
		Where:   "an event that is emitted",
		Stand: func(a Anchor) error {
			switch s := a.Last(); s.Event {
			case EventEmitted:
				return nil
			case EventDelivered:
				return fmt.Errorf("event comes too late at %q: the agent has it; use emitted", s)
			default:
				return fmt.Errorf("event says what becomes of an event, and %q is none: use one that is emitted, such as event approved#1 emitted", s)
			}
		},
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				r.Complain("what becomes of the event? Write one of %s", strings.Join(fates(), ", "))
			}
			return event{r.OneOf("fate of an event", fates())}
		},
	}
}

func (event) Name() string     { return "event" }
func (e event) String() string { return "event: " + e.fate }

func (e event) Words() string {
	switch e.fate {
	case late:
		return "the event comes " + e.ends().For.String() + " late"
	case string(Twice):
		return "the event comes twice"
	case string(Lost):
		return "the event never comes"
	}
	return "the event comes after the next one of its task (0.8 verification_period later at the latest)"
}

// An event that is overtaken by none comes at the end of every hold.
func (e event) ends() End {
	if e.fate == late {
		return End{For: Span{Times: LateTimes, Limit: "verification_period"}}
	}
	return End{}
}

func (event) within() []string { return []string{"event"} }

func (e event) Apply(f *Firing) {
	switch e.fate {
	case late:
		f.Hold("event: late", e.ends())
	case string(Overtaken):
		f.Order.Later = f.Later("event: out-of-order", e.ends())
		fallthrough
	default:
		f.Order.Fate = Fate(e.fate)
	}
}
