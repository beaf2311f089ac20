package wire

import (
	"context"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/Shopify/toxiproxy/v2/stream"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// A conn is one connection of a client, and the one to the service that carries
// its calls on.
type conn struct {
	id     string
	p      *Proxy
	g      *Gateway
	client *socket
	up     *socket // nil until the service has been dialled
	seen   *arrivals
	ctx    context.Context
	stop   context.CancelFunc
	tox    *toxiproxy.Proxy // never started: it holds the toxics, the accept loop is ours
	halves [2]*half         // by direction
	links  sync.WaitGroup

	deaf   atomic.Bool // no request is passed on any more
	hung   atomic.Bool // the client is told nothing any more, not even that the service has ended
	tunnel atomic.Bool // the protocol was switched: what comes is opaque

	harness atomic.Bool  // the harness has ended the client's connection
	writing atomic.Int32 // replies of which the last byte is being written

	mu       sync.Mutex
	sent     int // requests so far
	waiting  []*call
	open     []*call
	toxics   []string // names of the stock toxics
	unproven []*call  // replies that are wholly on their way to the client
}

func newConn(p *Proxy, c *net.TCPConn) *conn {
	k := &conn{p: p, g: p.g, client: newSocket(c)}
	k.ctx, k.stop = context.WithCancel(p.ctx)
	k.g.mu.Lock()
	k.g.conns++
	k.id = "conn-" + strconv.Itoa(k.g.conns)
	k.g.mu.Unlock()
	return k
}

// connect gives the connection its other side.
func (k *conn) connect(up *net.TCPConn, seen *arrivals) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.up = newSocket(up)
	k.seen = seen
	if err := k.gates(); err != nil {
		return err
	}
	k.client.half, k.up.half = k.halves[stream.Upstream], k.halves[stream.Downstream]
	k.links.Add(4) // the ends of two outlets and of two halves
	k.client.carry, k.up.carry = k.carryReply, k.carryRequest
	k.up.onClose = func() {
		_ = up.CloseWrite() // a client may end its own direction and still wait for the reply
		k.links.Done()
	}
	k.client.onClose = func() {
		k.followService()
		k.links.Done()
	}
	if k.ctx.Err() != nil {
		_ = up.Close() // aborted meanwhile
	}
	return nil
}

// followService ends the client's connection as the service ended its own.
func (k *conn) followService() {
	if k.hung.Load() {
		return
	}
	if _, ended := k.up.end(); !ended {
		k.endByHarness(history.HowFIN) // a toxic has closed it
		return
	}
	if how, _ := k.up.end(); how == history.HowRST {
		_ = k.client.source.conn.SetLinger(0)
		_ = k.client.source.conn.Close()
		return
	}
	_ = k.client.source.conn.CloseWrite()
}

// record appends what has happened to the connection.
func (k *conn) record(kind history.Kind, w history.Wire) {
	d := k.p.door
	w.Service, w.Conn = d.Service, k.id
	k.g.log.Append(history.Record{Kind: kind, Task: d.Task, Work: d.Work, Wire: &w})
}

// clientEnded is called when the gate has taken the last byte of the client.
func (k *conn) clientEnded() {
	how, _ := k.client.end()
	if how == "" {
		return // the harness ended it, and has said so
	}
	w := history.Wire{By: history.ByClient, How: how}
	if how == history.HowFIN {
		writing := k.writing.Load() > 0
		left := leaving(k.client.source.conn)
		// What is being written may not be in the kernel yet, and what will be written finds the FIN there.
		w.Taken = left == tookAll && !writing
		w.Half, w.Left = left == tookHalf, left == tookLess
	}
	k.record(history.ConnEnded, w)
	if how == history.HowFIN && !w.Left {
		k.prove()
	}
}

// serviceEnded is called when the gate has taken the last byte of the service.
func (k *conn) serviceEnded() {
	if how, _ := k.up.end(); how != "" {
		k.record(history.ConnEnded, history.Wire{By: history.ByService, How: how})
	}
}

// endByHarness ends the client's connection. The other one follows when the
// client has ended its side too, so that a FIN stays a FIN: a socket closed over
// unread bytes would send RST.
func (k *conn) endByHarness(how string) {
	if k.harness.Swap(true) {
		return
	}
	if _, ended := k.client.end(); !ended {
		k.record(history.ConnEnded, history.Wire{By: history.ByHarness, How: how})
	}
	k.client.kill()
	if how == history.HowRST {
		_ = k.client.source.conn.SetLinger(0)
		_ = k.client.source.conn.Close()
	} else {
		_ = k.client.source.conn.CloseWrite()
	}
}

// abort ends both sides at once, and what is held.
func (k *conn) abort() {
	k.endByHarness(history.HowFIN)
	k.stop()
	k.mu.Lock()
	up := k.up
	k.mu.Unlock()
	_ = k.client.source.conn.Close()
	if up != nil {
		_ = up.source.conn.Close()
	}
}

// close ends what is left when both links have ended.
func (k *conn) close() {
	k.stop()
	_ = k.client.source.conn.Close()
	if k.up != nil {
		_ = k.up.source.conn.Close()
	}
	k.mu.Lock()
	left := slices.Clone(k.open)
	k.mu.Unlock()
	for _, c := range left {
		c.over()
	}
}

// forward puts c among the calls whose reply is to come, and makes it known to
// the service.
func (k *conn) forward(c *call) {
	k.mu.Lock()
	k.waiting = append(k.waiting, c)
	k.mu.Unlock()
	k.seen.add(c.ref)
}

// answered is the call that the next reply belongs to, or nil.
func (k *conn) answered() *call {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.waiting) == 0 {
		return nil
	}
	return k.waiting[0]
}

// replied takes the first of them off.
func (k *conn) replied() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.waiting) > 0 {
		k.waiting = slices.Delete(k.waiting, 0, 1)
	}
}

// unanswered is called when no reply can come any more.
func (k *conn) unanswered() {
	k.mu.Lock()
	left := k.waiting
	k.waiting = nil
	k.mu.Unlock()
	for _, c := range left {
		c.half()
	}
}

// prove is called when the client has shown that it took what it was given.
func (k *conn) prove() {
	k.mu.Lock()
	proven := k.unproven
	k.unproven = nil
	k.mu.Unlock()
	for _, c := range proven {
		c.ask(fault.Delivered)
	}
}

// waitForProof proves a reply that the client has taken and shows nothing of,
// since it keeps the connection for later. One that goes shows more by that.
func (k *conn) waitForProof() {
	timer := time.NewTimer(k.g.patience)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-k.ctx.Done():
			return
		}
		k.mu.Lock()
		none := len(k.unproven) == 0
		k.mu.Unlock()
		if _, ended := k.client.end(); ended || none {
			return
		}
		if bytes, known := unread(k.client.source.conn); (!known || bytes == 0) && !newProbe(k.client.source.conn).gone() {
			k.prove()
			return
		}
		timer.Reset(k.g.patience)
	}
}

// finish ends the client's connection so, or leaves it hanging.
func (k *conn) finish(e ending) {
	switch e {
	case fin:
		k.endByHarness(history.HowFIN)
	case rst:
		k.endByHarness(history.HowRST)
	case hang:
		k.hung.Store(true)
	case stay:
	}
}

// carryRequest carries out a mark of the upstream direction.
func (k *conn) carryRequest(m mark, live int64, before bool) {
	if c := m.call; c != nil && before && m.whole {
		c.leaves()
	} else if c != nil && !before {
		if m.whole && live >= m.at {
			c.recordForwarded()
			c.duplicate()
		}
		c.half()
	}
	if before {
		return
	}
	m.strike(live)
	k.finish(m.ending)
	if m.ending == fin {
		// Only now: what the service answers to a request that ends here must not reach the client.
		_ = k.up.source.conn.CloseWrite()
	}
}

// carryReply carries out a mark of the downstream direction.
func (k *conn) carryReply(m mark, live int64, before bool) {
	if m.begins {
		if before {
			m.call.begun = k.g.log.Now()
		}
		return
	}
	if before {
		k.writing.Add(+1)
		if m.call != nil && !k.harness.Load() {
			k.passing(m)
		}
		return
	}
	k.writing.Add(-1)
	// Also when the harness has ended the connection since: the client can have sent its next request before this write returned.
	if m.call != nil && m.call.passes {
		m.call.passed(m, live)
		if m.whole && k.g.patience > 0 && m.call.concerned(fault.Delivered) {
			k.p.running.Go(k.waitForProof)
		}
	}
	m.strike(live)
	if m.call != nil {
		m.call.half()
	}
	k.finish(m.ending)
}

// strike records that the fault has been carried out here.
func (m mark) strike(live int64) {
	if m.by != nil {
		m.by.struck(m.receipt, max(0, min(live, m.at)-m.start))
	}
}

// passing is called just before the last byte that the client gets of a reply
// is written.
func (k *conn) passing(m mark) {
	_, left := k.client.end()
	left = left || k.client.gone()
	m.call.passes = true
	m.call.passing(m, left)
	if m.whole && !left {
		k.mu.Lock()
		k.unproven = append(k.unproven, m.call)
		k.mu.Unlock()
	}
}
