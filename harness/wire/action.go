package wire

import (
	"bytes"
	"fmt"
	"time"

	"github.com/Shopify/toxiproxy/v2/stream"

	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// carryOut does with the message at hand what the seam ordered. The hold, if
// there was one, is over.
func (h *half) carryOut() {
	if reason := h.impossible(); reason != "" {
		h.m.call.failed(h.order.Receipt, reason)
		h.order.Action = fault.Pass
	}
	switch o := h.order; {
	case o.Action == fault.Reset:
		h.cut(rst)
	case o.Action == fault.Close, o.Action == fault.Truncate && o.Bytes < 0:
		h.cut(fin)
	case o.Action == fault.Hang:
		h.cut(hang)
	default:
		if o.Action == fault.Garble || o.Action == fault.Drip {
			h.m.call.struck(o.Receipt, 0)
		}
		h.stage = letting
		if h.request {
			h.k.forward(h.m.call)
		}
		h.release()
	}
	if h.m.whole {
		h.over()
	}
}

// impossible says why what is ordered cannot be done to this message, as far as
// that is known by now.
func (h *half) impossible() string {
	o, m := h.order, h.m
	chunked := h.framer.mode == atChunkSize || h.framer.mode == atChunkData || h.framer.mode == atChunkEnd || h.framer.mode == atTrailer || h.framer.nth > 0
	switch {
	case o.Action == fault.Garble && m.whole && m.content == 0:
		return "the message has no body"
	case o.Action != fault.Truncate || o.Bytes < 0:
	case o.Cut == fault.InHead && int64(o.Bytes) >= m.head:
		return fmt.Sprintf("the head has only %d bytes", m.head)
	case o.Cut == fault.InChunk && !chunked:
		return "the body is not chunked"
	}
	return ""
}

// cut drops the message at hand before anything of it was let go, and ends the
// client's connection so, or leaves it hanging.
func (h *half) cut(e ending) {
	h.record()
	c := h.m.call
	h.discard()
	h.silence()
	if h.request {
		c.struck(h.order.Receipt, 0)
		h.k.finish(e)
		return
	}
	h.out.mark(mark{at: h.scheduled, start: h.scheduled, ending: e, by: c, receipt: h.order.Receipt})
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
	h.hold, h.drip, h.behind = nil, nil, nil
	h.backlog, h.backlogged = nil, 0
	h.silence()
	if h.m != nil {
		if h.m.call != nil && (!h.request || h.m.call.named) {
			h.record()
		}
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
	m.parts = m.reply && m.call != nil && (!m.whole || h.order.Action == fault.Drip)
	pieces := m.let()
	switch h.order.Action {
	case fault.Garble, fault.Truncate, fault.Drip:
	default:
		h.releaseAll(pieces)
		return
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
	runs := joined(h.runs[:0], pieces)
	if h.order.Action == fault.Duplicate && h.request {
		m.call.keep(h.order.Receipt, runs...)
	}
	if m.whole && m.call != nil {
		h.mark(m.size, true, stay)
	}
	for i, run := range runs {
		h.let(run)
		runs[i] = nil
	}
	h.runs = runs
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
			h.m.call.keep(h.order.Receipt, data)
		}
	default:
	}
	if p.part == content {
		h.given += int64(len(data))
	}
	if last {
		h.mark(int64(len(data)), true, stay)
	}
	h.let(data)
}

// passShort lets a piece go up to the place of the cut, and ends the connection
// there.
func (h *half) passShort(p piece, last bool) {
	n, here := h.cutIn(p)
	data := p.data[:n]
	if p.part == content {
		h.given += int64(n)
	}
	whole := last && n == len(p.data)
	if !here && !whole {
		h.let(data)
		return
	}
	h.record()
	if whole {
		// It ended before the place: nothing of it was cut off.
		h.m.call.failed(h.order.Receipt, fmt.Sprintf("the body has only %d bytes in %d chunks", h.m.content, h.framer.nth))
		h.order.Receipt = nil
	}
	h.mark(int64(n), whole, fin)
	h.let(data)
	h.silence()
	h.stage = dropping
}

// cutIn finds the place of the cut: how much of p is let go, and whether the
// place is at the end of that.
func (h *half) cutIn(p piece) (n int, here bool) {
	size := int64(len(p.data))
	start := h.from - h.m.head
	left := int64(h.order.Bytes)
	switch h.order.Cut {
	case fault.InHead:
		left -= h.scheduled - start
	case fault.InChunk:
		if p.part != content || p.chunk != h.order.Bytes {
			return len(p.data), false
		}
		left = p.of/2 - p.from
	case fault.InBody:
		left -= h.given
		if p.part != content {
			// The place of 0 bytes is the end of the head.
			return len(p.data), left <= 0 && h.scheduled+size >= h.from
		}
	}
	if left > size {
		return len(p.data), false
	}
	return int(max(left, 0)), true
}

// mark sets a mark n bytes from here, where the message at hand ends.
func (h *half) mark(n int64, whole bool, e ending) {
	m := mark{at: h.scheduled + n, call: h.m.call, size: h.given, start: h.from - h.m.head, from: h.from, whole: whole, ending: e}
	if e != stay {
		m.by, m.receipt = h.m.call, h.order.Receipt
	}
	if h.weather.swallows.Load() {
		m.call.over() // it will not come out
		return
	}
	h.out.mark(m)
}

// let lets bytes go.
func (h *half) let(p []byte) {
	if h.mute || len(p) == 0 {
		return
	}
	if h.m != nil && h.m.parts {
		h.m.parts = false
		h.out.mark(mark{at: h.scheduled + 1, call: h.m.call, begins: true})
	}
	h.scheduled += int64(len(p))
	if h.m == nil || h.order.Action != fault.Drip {
		h.give(p)
		return
	}
	if len(h.drip) == 0 {
		h.again()
	}
	h.drip = append(h.drip, p...)
}

// give gives bytes to the outlet, or to the toxics before it.
func (h *half) give(p []byte) {
	if h.weather.on.Load() {
		h.behind = append(h.behind, &stream.StreamChunk{Data: h.lasting(p), Timestamp: time.Now()})
		return
	}
	_, _ = h.out.Write(p)
}

// dripped lets the next byte go. Nobody waits for the bytes of a connection
// that has ended.
func (h *half) dripped() {
	n := 1
	if h.out.ended() {
		n = len(h.drip)
	}
	h.lent = false
	h.give(h.drip[:n:n])
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
