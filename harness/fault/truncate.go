package fault

import (
	"fmt"
	"math"
)

// truncate lets the head and a number of body bytes through, then closes.
type truncate struct{ bytes int }

func truncateKind() Kind {
	return Kind{
		Name: "truncate", Family: Wire, Place: Final,
		Summary: "lets the head and this many bytes of the body through, then ends the connection (FIN); -1: not even the head",
		Usage:   "truncate: <bytes>",
		Where:   "sent (of the request), replied (of the reply)",
		Stand:   onWire("truncate", Sent, Replied),
		Decode: func(r *Reader) Effect {
			if !r.Present() {
				r.Complain("how many bytes of the body pass? Write truncate: 14")
			}
			return truncate{r.Int(-1, math.MaxInt32)}
		},
	}
}

func (truncate) Name() string     { return "truncate" }
func (t truncate) String() string { return fmt.Sprintf("truncate: %d", t.bytes) }

func (t truncate) Words() string {
	if t.bytes < 0 {
		return "nothing of the message passes, not even its head, and the connection is closed"
	}
	return fmt.Sprintf("the message is cut after its head and %d bytes of its body, and the connection is closed", t.bytes)
}

func (t truncate) Apply(f *Firing) { f.Order.Action, f.Order.Bytes = Truncate, t.bytes }

func (truncate) skips(at Phase) []Phase { return after(at) }
