package fault

import (
	"fmt"
	"math"
)

// truncate lets a part of the message through, then closes.
type truncate struct {
	cut   Cut
	bytes int
}

func truncateKind() Kind {
	return Kind{
		Name: "truncate", Family: Wire, Place: Final,
		Summary: "lets the head and this many bytes of the body through, then ends the connection (FIN); or so many bytes of the head, or up to the middle of a chunk; -1: not even the head",
		Usage:   "truncate: <bytes>, or truncate: {head: <bytes>}, or truncate: {chunk: <number>}",
		Where:   "sent (of the request), replied (of the reply)",
		Stand:   onWire("truncate", Sent, Replied),
		Decode:  decodeTruncate,
	}
}

func decodeTruncate(r *Reader) Effect {
	switch {
	case !r.Present():
		r.Complain("how many bytes of the body pass? Write truncate: 14")
		return truncate{}
	case r.Written().Shape != Map:
		return truncate{InBody, r.Int(-1, math.MaxInt32)}
	case !r.Fields("head", "chunk"):
		return truncate{}
	}
	head, chunk := r.Field("head"), r.Field("chunk")
	switch {
	case head.Present() == chunk.Present():
		r.Complain("the message is cut in one place: write {head: 20} or {chunk: 2}")
		return truncate{}
	case head.Present():
		return truncate{InHead, head.Int(1, math.MaxInt32)}
	}
	return truncate{InChunk, chunk.Int(1, math.MaxInt32)}
}

func (truncate) Name() string { return "truncate" }

func (t truncate) String() string {
	if t.cut != InBody {
		return fmt.Sprintf("truncate: {%s: %d}", t.cut, t.bytes)
	}
	return fmt.Sprintf("truncate: %d", t.bytes)
}

func (t truncate) Words() string {
	switch {
	case t.cut == InHead:
		return fmt.Sprintf("the message is cut after %d bytes of its head, and the connection is closed", t.bytes)
	case t.cut == InChunk:
		return fmt.Sprintf("the message is cut in the middle of chunk %d of its body, and the connection is closed", t.bytes)
	case t.bytes < 0:
		return "nothing of the message passes, not even its head, and the connection is closed"
	}
	return fmt.Sprintf("the message is cut after its head and %d bytes of its body, and the connection is closed", t.bytes)
}

func (t truncate) Apply(f *Firing) {
	f.Order.Action, f.Order.Cut, f.Order.Bytes = Truncate, t.cut, t.bytes
}

func (truncate) skips(at Phase) []Phase { return after(at) }
