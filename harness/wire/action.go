package wire

import (
	"bytes"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// carryOut does with the message at hand what the seam ordered. The hold, if
// there was one, is over.
func (h *half) carryOut() {
	switch o := h.order; {
	case o.Action == fault.Reset:
		h.cut(rst)
	case o.Action == fault.Close, o.Action == fault.Truncate && o.Bytes < 0:
		h.cut(fin)
	case o.Action == fault.Hang:
		h.cut(hang)
	default:
		h.stage = letting
		if h.request {
			h.k.await(h.m.call)
		}
		h.release()
	}
	if h.m.whole {
		h.over()
	}
}

// cut drops the message at hand before anything of it was let go, and ends the
// client's connection so, or leaves it hanging.
func (h *half) cut(e ending) {
	h.record()
	h.discard()
	h.silence()
	if h.request {
		h.k.finish(e)
		return
	}
	h.out.mark(mark{at: h.scheduled, ending: e})
}

// discard drops the message at hand.
func (h *half) discard() {
	h.m.let()
	h.stage = dropping
	if h.m.call != nil {
		h.m.call.over()
	}
}

// silence lets nothing go from here on: nothing of this direction, and no request.
func (h *half) silence() {
	h.mute = true
	h.k.deaf.Store(true)
}

// abandon is called when the harness is ending the connection: nothing is held on.
func (h *half) abandon() {
	h.hold, h.drip = nil, nil
	h.backlog, h.backlogged = nil, 0
	h.silence()
	if h.m != nil {
		h.discard()
		if h.m.whole {
			h.over()
		}
	}
}

// release lets go what was gathered.
func (h *half) release() {
	m := h.m
	h.from = h.scheduled + m.head
	pieces := m.let()
	switch h.order.Action {
	case fault.Garble, fault.Truncate, fault.Drip:
	default:
		if h.framer.mode != atEOF || m.whole {
			h.releaseAll(pieces)
			return
		}
	}
	for i, p := range pieces {
		h.pass(p, m.whole && i == len(pieces)-1)
		if h.stage != letting {
			return
		}
	}
}

// releaseAll lets the pieces go as they are, in as few writes as they came.
func (h *half) releaseAll(pieces []piece) {
	m := h.m
	h.given = m.content
	runs := joined(pieces)
	if h.order.Action == fault.Duplicate && h.request {
		m.call.keep(runs...)
	}
	if m.whole && m.call != nil {
		h.mark(m.size, true, stay)
	}
	for _, run := range runs {
		h.let(run)
	}
}

// pass lets one piece of the message go, as ordered. last: the message ends
// with it.
func (h *half) pass(p piece, last bool) {
	if h.m.call == nil {
		h.let(p.data)
		return
	}
	data := p.data
	switch h.order.Action {
	case fault.Truncate:
		h.passShort(p, last)
		return
	case fault.Garble:
		if p.part == content {
			data = bytes.Repeat([]byte("#"), len(data))
		}
	case fault.Duplicate:
		if h.request {
			h.m.call.keep(data)
		}
	default:
	}
	if p.part == content {
		h.given += int64(len(data))
		if h.framer.mode == atEOF && !last {
			data, h.tail = h.tail, data // which byte is the last is known when the stream ends
		}
	}
	if last {
		h.mark(int64(len(data)), true, stay)
	}
	h.let(data)
}

// passShort lets a piece go until the ordered number of body bytes has gone,
// and ends the connection there.
func (h *half) passShort(p piece, last bool) {
	data := p.data
	left := int64(h.order.Bytes) - h.given
	if p.part == content {
		data = data[:min(left, int64(len(data)))]
		left -= int64(len(data))
		h.given += int64(len(data))
	}
	size := int64(len(data))
	whole := last && len(data) == len(p.data)
	if !whole && (left > 0 || h.scheduled+size < h.from) {
		h.let(data)
		return
	}
	h.record()
	h.mark(size, whole, fin)
	h.let(data)
	h.silence()
	h.stage = dropping
}

// mark sets a mark n bytes from here, where the message at hand ends.
func (h *half) mark(n int64, whole bool, e ending) {
	h.out.mark(mark{at: h.scheduled + n, call: h.m.call, size: h.given, from: h.from, whole: whole, ending: e})
}

// let gives bytes to the outlet.
func (h *half) let(p []byte) {
	if h.mute || len(p) == 0 {
		return
	}
	h.scheduled += int64(len(p))
	if h.m == nil || h.order.Action != fault.Drip {
		_, _ = h.out.Write(p)
		return
	}
	if len(h.drip) == 0 {
		h.again()
	}
	h.drip = append(h.drip, p...)
}

// dripped lets the next byte go. Nobody waits for the bytes of a connection
// that has ended.
func (h *half) dripped() {
	n := 1
	if h.out.ended() {
		n = len(h.drip)
	}
	_, _ = h.out.Write(h.drip[:n])
	if h.drip = h.drip[n:]; len(h.drip) > 0 {
		h.again()
	}
}

func (h *half) again() {
	wait := max(h.order.Every, 0)
	if h.tick == nil {
		h.tick = time.NewTimer(wait)
		return
	}
	h.tick.Reset(wait)
}
