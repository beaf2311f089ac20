package wire

import (
	"bytes"
	"hash/maphash"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/Shopify/toxiproxy/v2/stream"

	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// stage is how far the message at hand has come.
type stage uint8

const (
	gathering stage = iota // it waits for its phase
	letting                // it goes on as it comes
	dropping               // it goes nowhere
)

// A half is one direction of one connection in the gate. Its link's reader and
// its gate's own goroutine work on it, one at a time.
type half struct {
	k       *conn
	request bool
	out     *outlet
	wake    chan struct{} // tells the gate's own goroutine that there is something to wait for

	mu     sync.Mutex
	framer framer
	sum    maphash.Hash // of the request at hand
	under  int          // chunks on their way through the link

	eof        bool // the source has ended
	finished   bool // and what was left of it has been dealt with
	backlog    []chunk
	backlogged int

	m     *message // the message at hand; nil between messages
	own   message  // it, whichever it is
	stage stage
	order fault.Order
	hold  <-chan struct{} // the message is held until this is closed
	mute  bool            // nothing is let go any more
	raw   *call           // a connection that speaks no HTTP is one call

	lent      bool     // the bytes at hand are overwritten later
	scheduled int64    // bytes for the outlet so far, with those that drip
	given     int64    // of the message at hand: bytes of its body let go
	from      int64    // and where in the outlet's bytes its body begins
	runs      [][]byte // room for what is let go at once
	drip      []byte
	tick      *time.Timer

	weather weather
	behind  []*stream.StreamChunk // what the toxics behind have not taken yet
}

func newHalf(k *conn, request bool) *half {
	h := &half{k: k, request: request, out: &k.client.outlet, wake: make(chan struct{}, 1)}
	if request {
		h.out = &k.up.outlet
		h.sum.SetSeed(k.g.seed)
		return h
	}
	h.framer.reply = true
	h.framer.method = func() string {
		if c := k.answered(); c != nil && c.method != "" {
			return c.method
		}
		return http.MethodGet
	}
	return h
}

// weather tells what stands behind the gate in one direction. Others set it.
type weather struct {
	on       atomic.Bool // stock toxics: what goes on has to pass them
	swallows atomic.Bool // and nothing comes out of them
}

// stuck tells whether nothing can be let go at the moment.
func (h *half) stuck() bool { return h.hold != nil || len(h.drip) > 0 || len(h.behind) > 0 }

// take works through a chunk, as far as nothing holds it up.
func (h *half) take(c chunk) {
	if h.request && h.k.tunnel.Load() {
		h.framer.mode = atOpaque
	}
	h.lent = c.lent
	for p := c.data; len(p) > 0; {
		if h.stuck() {
			h.backlog = append([]chunk{{h.lasting(p), c.at, false}}, h.backlog...)
			h.backlogged += len(p)
			break
		}
		s, err := h.framer.next(p)
		h.step(piece{data: p[:s.n], part: s.part, chunk: s.chunk, from: s.from, of: s.of}, s, err != nil, c.at)
		p = p[s.n:]
	}
	if m := h.m; m != nil && h.stage == gathering && h.hold == nil && m.flows {
		h.phase()
	}
	if h.m != nil {
		h.m.own(c, h.framer.left)
	}
}

// lasting is p, or a copy of it if it would be overwritten.
func (h *half) lasting(p []byte) []byte {
	if h.lent {
		return bytes.Clone(p)
	}
	return p
}

func (h *half) step(p piece, s step, lost bool, at time.Duration) {
	if h.m == nil {
		if p.part == filler || p.part == opaque && (h.raw != nil || !h.request || h.k.tunnel.Load()) {
			h.let(p.data)
			return
		}
		h.begin(at)
	}
	h.m.add(p, s.end, h.stage == gathering, h.framer.left)
	if lost || p.part == opaque {
		h.broken(p)
		return
	}
	if s.head {
		h.headed()
	}
	switch h.stage {
	case gathering:
		if h.ripe(s) {
			h.phase()
		}
	case letting:
		h.note(p, s.end)
		h.pass(p, s.end)
	case dropping:
		if s.end {
			h.record()
		}
	}
	if s.end && h.hold == nil {
		h.over()
	}
}

// begin is called with the first byte of a message.
func (h *half) begin(at time.Duration) {
	h.m = &h.own
	h.stage, h.order, h.given = gathering, fault.Order{}, 0
	if h.request {
		h.sum.Reset()
		h.m.begin(at, false, &h.sum)
		h.k.prove()
	} else {
		h.m.begin(at, true, nil)
		h.m.call = h.k.answered()
	}
}

// headed is called when the head at hand is complete.
func (h *half) headed() {
	h.m.ready = true
	if h.request {
		c := h.k.newCall(h.framer.req, h.m)
		// A short request is gathered: its record comes before the service can do anything.
		h.m.flows = c.named && h.framer.mode == atLength && h.framer.left > maxBody && !c.concerned(fault.Sent)
		return
	}
	if h.framer.tunnel {
		h.k.tunnel.Store(true)
	}
	if h.framer.interim {
		h.m.call = nil
	}
	if c := h.m.call; c != nil {
		h.m.events = isEvents(h.framer.res)
		h.m.flows = h.m.events || !c.concerned(fault.Replied)
	}
}

// ripe tells whether the message has come to its phase.
func (h *half) ripe(s step) bool {
	return s.end || h.m.content >= maxBody || s.head && (h.request && h.m.call.ask1xx || h.m.events)
}

// phase is the point of the message: it is recorded, and the seam is asked.
func (h *half) phase() {
	c := h.m.call
	switch {
	case c == nil: // an interim reply, or one to nothing
		h.stage = letting
		h.release()
		return
	case h.request:
		c.name()
		if h.m.whole {
			c.recordSent()
		}
		if h.k.deaf.Load() {
			h.discard()
			return
		}
		h.order = c.ask(fault.Sent)
	default:
		c.recordSent()
		c.recordReplied(h.m, h.framer.res, h.m.whole || h.m.content >= maxBody)
		if h.mute || h.k.harness.Load() {
			h.discard()
			return
		}
		h.order = c.ask(fault.Replied)
	}
	if h.hold = h.order.Wait; len(h.order.Weather) > 0 {
		h.hold = h.k.await(h.order, c)
	}
	if h.hold != nil {
		return
	}
	h.carryOut()
}

// note records what has to be recorded before p, the next piece of a message
// that goes on as it comes, is let go.
func (h *half) note(p piece, end bool) {
	if end || !h.request && h.m.call != nil && h.m.call.news(h.m, p, h.framer.res) {
		h.record()
	}
}

// record records a message that is complete, or ends, before its last byte is
// let go: a request, and a reply that flows.
func (h *half) record() {
	switch c := h.m.call; {
	case h.request:
		c.recordSent()
	case c != nil && h.m.ready && !h.m.recorded:
		c.recordSent()
		c.recordReplied(h.m, h.framer.res, true)
	}
}

// over is called when the message at hand is complete and nothing holds it.
func (h *half) over() {
	if h.m == nil {
		return
	}
	if !h.request && h.m.call != nil {
		h.k.replied()
	}
	h.end()
}

// end is called when nothing is left to do about the message at hand.
func (h *half) end() {
	h.m.end()
	h.m = nil
}

// broken is called when the bytes at hand, of which p came last, turned out to
// be no HTTP: they pass as they are, and so does all that follows.
func (h *half) broken(p piece) {
	m := h.m
	if h.request && m.call == nil {
		h.k.newCall(nil, m)
	}
	if h.request {
		h.raw = m.call
		m.call.name()
	}
	h.record()
	switch {
	case h.stage == letting:
		h.let(p.data)
		h.partEnds()
	case h.stage == gathering && h.request && h.k.deaf.Load():
		h.discard()
	case h.stage == gathering:
		h.partReleased()
	}
	h.end()
}

// partReleased lets go what was gathered of a message that will not be
// complete. It has no phase.
func (h *half) partReleased() {
	if h.request {
		h.k.forward(h.m.call)
	}
	h.release()
	h.partEnds()
}

// partEnds marks the end of a message that was let go and is not complete.
func (h *half) partEnds() {
	if h.m.call == nil || !h.m.ready && !h.request {
		return
	}
	h.mark(0, false, stay)
	if !h.request {
		h.k.replied()
	}
}

// finish deals with what is left when the source has ended.
func (h *half) finish() {
	h.finished = true
	m := h.m
	if m == nil {
		return
	}
	if h.framer.mode == atEOF {
		h.finishAtEOF()
		return
	}
	if h.request && m.call == nil {
		h.k.newCall(nil, m)
	}
	if h.request {
		m.call.name()
	}
	h.record()
	switch {
	case h.stage == letting:
		h.partEnds()
	case h.stage == gathering && (h.mute || h.request && h.k.deaf.Load()):
		h.discard()
	case h.stage == gathering:
		h.partReleased()
	}
	h.end()
}

// finishAtEOF completes a reply that lasted until the stream's end, before that
// end is passed on.
func (h *half) finishAtEOF() {
	h.m.mu.Lock()
	h.m.whole = true
	h.m.mu.Unlock()
	switch h.stage {
	case gathering:
		h.phase()
	case letting:
		h.record()
		h.pass(piece{part: content}, true)
	case dropping:
	}
	if h.hold == nil {
		h.over()
	}
}

// close is called when nothing of this direction is left.
func (h *half) close() {
	if !h.request {
		h.k.unanswered()
	}
	if h.tick != nil {
		h.tick.Stop()
	}
	h.k.links.Done()
}
