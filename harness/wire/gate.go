package wire

import (
	"fmt"
	"strings"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/Shopify/toxiproxy/v2/stream"
	"github.com/Shopify/toxiproxy/v2/toxics"
)

// gateType is the name of the toxic in Toxiproxy's registry, which is one for
// the whole process.
const gateType = "lostreceipt_gate"

func init() { toxics.Register(gateType, new(gate)) }

// gate is the toxic: a tap and a fault point for one direction of one
// connection. It stands first in the chain, before any stock toxic. What it
// knows is a [half].
type gate struct{ h *half }

// heldMax bounds what is read on while a message is held, a direction.
const heldMax = 8 << 20

// gates gives a connection a chain of toxics of its own, with a gate in each
// direction. Toxiproxy's own chains belong to a listener and concern all its
// connections; this listener is never started.
func (k *conn) gates() error {
	d := k.p.door
	k.halves = [2]*half{stream.Upstream: newHalf(k, true), stream.Downstream: newHalf(k, false)}
	k.tox = toxiproxy.NewProxy(k.g.api, d.Work+"/"+d.Service+"/"+k.id, k.p.addr, d.Upstream)
	for _, dir := range []stream.Direction{stream.Upstream, stream.Downstream} {
		text := fmt.Sprintf(`{"type":%q,"name":"gate_%s","stream":%q,"toxicity":1}`, gateType, dir, dir)
		w, err := k.tox.Toxics.AddToxicJson(strings.NewReader(text))
		if err != nil {
			return fmt.Errorf("gate: %w", err)
		}
		w.Toxic.(*gate).h = k.halves[dir]
	}
	return nil
}

// link starts the links of the connection.
func (k *conn) link() {
	k.tox.Toxics.StartLink(k.g.api, "up", &k.client.source, &k.up.outlet, stream.Upstream)
	k.tox.Toxics.StartLink(k.g.api, "down", &k.up.source, &k.client.outlet, stream.Downstream)
}

// GetBufferSize lets the reader run a little ahead, so that an end of the
// client is seen behind its last bytes.
func (*gate) GetBufferSize() int { return 8 }

// NewState is called when a link starts.
func (t *gate) NewState() any { return t.h }

// Pipe runs until the source has ended and everything was let go or dropped; it
// never stops draining the source before that. It waits for what holds a message
// up; as long as nothing does, the link's reader does the work, see
// [half.offer]. When it is interrupted, because a toxic is put behind it or
// taken away, the state stands in the half and the next Pipe goes on.
func (t *gate) Pipe(stub *toxics.ToxicStub) {
	h := t.h
	for {
		switch h.progress() {
		case stuck:
			if !h.wait(stub) {
				return
			}
			continue
		case ended:
			stub.Close()
			return
		case ready:
		}
		select {
		case <-stub.Interrupt:
			return
		case c := <-stub.Input:
			h.receive(c)
		case <-h.wake:
		}
	}
}

// state is what a half can do.
type state uint8

const (
	ready state = iota // take what comes
	stuck              // let nothing go at the moment
	ended              // nothing, it is through
)

// progress does what can be done without waiting.
func (h *half) progress() state {
	h.mu.Lock()
	defer h.mu.Unlock()
	for {
		h.work()
		switch {
		case h.stuck():
			return stuck
		case !h.eof:
			return ready
		case h.finished:
			h.close()
			return ended
		}
		h.finish()
	}
}

// wait is one step of a gate that lets nothing go at the moment. It is false
// when the gate was interrupted. The reader leaves a stuck half alone.
func (h *half) wait(stub *toxics.ToxicStub) bool {
	in := stub.Input
	if h.eof || h.backlogged > heldMax {
		in = nil
	}
	var tick <-chan time.Time
	if h.hold == nil && len(h.drip) > 0 {
		tick = h.tick.C
	}
	var out chan<- *stream.StreamChunk
	var next *stream.StreamChunk
	if len(h.behind) > 0 {
		out, next = stub.Output, h.behind[0]
	}
	var act func()
	select {
	case <-stub.Interrupt:
		return false
	case c := <-in:
		h.receive(c)
		return true
	case <-h.hold:
		act = func() { h.hold = nil; h.carryOut() }
	case <-tick:
		act = h.dripped
	case out <- next:
		act = func() { h.behind = h.behind[1:] }
	case <-h.out.closed: // by a toxic behind: nobody takes the bytes any more
		act = func() { h.behind = nil; h.out.abandon() }
	case <-h.k.ctx.Done():
		act = h.abandon
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	act()
	return true
}

// chunk is what came at once.
type chunk struct {
	data []byte
	at   time.Duration
	lent bool // data is overwritten later: what is kept of it must be copied
}

// offer is called by the reader of the link with what it has just read. It is
// false when the half is held up, or something is on its way to it: then the
// bytes must come through the link, which copies them. The gate has taken them
// otherwise, and p may be used again.
func (h *half) offer(p []byte) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.under > 0 || h.stuck() || len(h.backlog) > 0 {
		h.under++
		return false
	}
	h.take(chunk{p, h.k.g.log.Now(), true})
	if h.stuck() {
		select {
		case h.wake <- struct{}{}:
		default:
		}
	}
	return true
}

// receive takes what came through the link.
func (h *half) receive(c *stream.StreamChunk) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if c == nil {
		h.eof = true
		if h.request {
			h.k.clientEnded()
		} else {
			h.k.serviceEnded()
		}
		return
	}
	h.under--
	next := chunk{c.Data, c.Timestamp.Sub(h.k.g.log.Start()), false}
	if h.stuck() || len(h.backlog) > 0 {
		h.backlog = append(h.backlog, next)
		h.backlogged += len(next.data)
		return
	}
	h.take(next)
}

// work takes on what was read while the gate was stuck.
func (h *half) work() {
	for len(h.backlog) > 0 && !h.stuck() {
		next := h.backlog[0]
		h.backlog = h.backlog[1:]
		h.backlogged -= len(next.data)
		h.take(next)
	}
}
