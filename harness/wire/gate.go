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
// never stops draining the source before that. When it is interrupted, because
// a toxic is put behind it or taken away, the state stands in the half and the
// next Pipe goes on.
func (t *gate) Pipe(stub *toxics.ToxicStub) {
	h := stub.State.(*half)
	for {
		h.work()
		if h.stuck() {
			if !h.wait(stub) {
				return
			}
			continue
		}
		if h.eof {
			if !h.finished {
				h.finish()
				continue
			}
			h.close()
			stub.Close()
			return
		}
		select {
		case <-stub.Interrupt:
			return
		case c := <-stub.Input:
			h.receive(c)
		}
	}
}

// wait is one step of a gate that lets nothing go at the moment. It is false
// when the gate was interrupted.
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
	select {
	case <-stub.Interrupt:
		return false
	case c := <-in:
		h.receive(c)
	case <-h.hold:
		h.hold = nil
		h.carryOut()
	case <-tick:
		h.dripped()
	case out <- next:
		h.behind = h.behind[1:]
	case <-h.out.closed: // by a toxic behind: nobody takes the bytes any more
		h.behind = nil
		h.out.abandon()
	case <-h.k.ctx.Done():
		h.abandon()
	}
	return true
}

// chunk is what came at once.
type chunk struct {
	data []byte
	at   time.Duration
}

func (h *half) receive(c *stream.StreamChunk) {
	if c == nil {
		h.eof = true
		if h.request {
			h.k.clientEnded()
		} else {
			h.k.serviceEnded()
		}
		return
	}
	next := chunk{c.Data, c.Timestamp.Sub(h.k.g.log.Start())}
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
