package wire

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// maxBody is how much of a body is recorded, and how much of it a message
// gathers before its phase.
const maxBody = 64 << 10

// maxText bounds a path and a key in the record.
const maxText = 4 << 10

// A call is one request and its reply.
type call struct {
	k   *conn
	ref fault.Ref
	op  string
	seq int

	req       *http.Request // nil when the head was never complete
	asked     *message      // the request
	ask1xx    bool          // the client waits for an interim reply before it sends the body
	copied    *copied       // set where a fault wants the request duplicated
	mu        sync.Mutex
	leaving   bool // the last byte of the request is being written to the service
	forwarded bool // and call.forwarded is recorded

	halves atomic.Int32 // of request and reply, those that are no longer on their way
	done   atomic.Bool  // nothing of it is in flight any more
}

// newCall gives the next request of k its number. req is nil when its head is
// not complete or no HTTP.
func (k *conn) newCall(req *http.Request, m *message) *call {
	c := &call{k: k, op: Unknown, req: req, asked: m}
	if req != nil {
		if op := k.g.dialect.Operation(k.p.door.Service, req); op != "" {
			c.op = op
		}
		c.ask1xx = strings.EqualFold(req.Header.Get("Expect"), "100-continue") && req.ProtoAtLeast(1, 1)
	}
	k.mu.Lock()
	k.sent++
	c.seq = k.sent
	k.open[c] = struct{}{}
	k.mu.Unlock()

	d, g := k.p.door, k.g
	of := matter{d.Task, d.Service, c.op}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls++
	g.ordinals[of]++
	c.ref = fault.Ref{
		Call: "c-" + strconv.Itoa(g.calls), Task: d.Task, Work: d.Work,
		Ordinal: g.ordinals[of], Reused: c.seq > 1,
	}
	g.begin()
	return c
}

// newCopy is the call that a duplicate of c is.
func (c *call) newCopy() *call {
	g := c.k.g
	d := &call{k: c.k, op: c.op, req: c.req, asked: c.asked}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls++
	d.ref = fault.Ref{Call: "c-" + strconv.Itoa(g.calls), Task: c.ref.Task, Work: c.ref.Work, Copy: true}
	g.begin()
	return d
}

// half is called once for the request and once for the reply, when it has been
// dealt with. A reply can be through before the request's record is made.
func (c *call) half() {
	if c.halves.Add(1) == 2 {
		c.over()
	}
}

// over ends the call: nothing of it is in flight any more. It may be called again.
func (c *call) over() {
	if !c.done.CompareAndSwap(false, true) {
		return
	}
	c.k.mu.Lock()
	delete(c.k.open, c)
	c.k.mu.Unlock()
	g := c.k.g
	g.mu.Lock()
	defer g.mu.Unlock()
	g.end()
}

// ask asks the seam what to do at a phase.
func (c *call) ask(phase fault.Phase) fault.Order {
	return c.k.g.seam.At(c.k.g.ctx, fault.Point{Ref: c.ref, Service: c.k.p.door.Service, Operation: c.op, Phase: phase})
}

func (c *call) append(kind history.Kind, w history.Wire, f *history.Facts) {
	w.Service, w.Operation, w.Ordinal = c.k.p.door.Service, c.op, c.ref.Ordinal
	w.Conn, w.Seq, w.Copy = c.k.id, c.seq, c.ref.Copy
	c.k.g.log.Append(history.Record{
		Kind: kind, Task: c.ref.Task, Work: c.ref.Work, Call: c.ref.Call, Wire: &w, Facts: f,
	})
}

// recordSent records the request, once, as it is by now.
func (c *call) recordSent() {
	m := c.asked
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.recorded {
		return
	}
	m.recorded = true
	c.appendSent(m.first, m.digest())
}

// appendSent is called with the request's lock held, or when it is complete.
func (c *call) appendSent(first time.Duration, digest string) {
	m := c.asked
	w := history.Wire{First: first, Size: m.size, Whole: m.whole, Body: text(m.body), Digest: digest}
	var facts *history.Facts
	if c.req != nil {
		w.Method = clip(c.req.Method)
		w.Path = clip(c.req.RequestURI)
		w.Key = clip(c.req.Header.Get("Idempotency-Key"))
		facts = c.k.g.dialect.Request(c.k.p.door.Service, c.op, c.req, m.body)
	}
	c.append(history.CallSent, w, facts)
}

// leaves is called just before the last byte of the request is written.
func (c *call) leaves() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.leaving = true
}

// recordForwarded records, once, that the request was written: after the write,
// or before the reply when that has overtaken the write's return.
func (c *call) recordForwarded() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.leaving && !c.forwarded {
		c.forwarded = true
		c.append(history.CallForwarded, history.Wire{Whole: true}, nil)
	}
}

// recordReplied records the reply m as it is by now.
func (c *call) recordReplied(m *message, res *http.Response) {
	c.recordForwarded()
	c.append(history.CallReplied, history.Wire{
		First: m.first, Size: m.size, Whole: m.whole, Body: text(m.body), Status: res.StatusCode, RetryAfter: retryAfter(res.Header),
	}, c.k.g.dialect.Reply(c.k.p.door.Service, c.op, res.StatusCode, res.Header, m.body))
}

func (c *call) passing(m mark, left bool) {
	c.append(history.CallPassing, history.Wire{Size: m.size, Whole: m.whole, Gone: left}, nil)
}

// passed is called when live bytes of the connection have been written in all.
func (c *call) passed(m mark, live int64) {
	size, whole := m.size, m.whole
	if live < m.at { // the client was gone before
		size, whole = min(size, max(0, live-m.from)), false
	}
	c.append(history.CallPassed, history.Wire{Size: size, Whole: whole}, nil)
}

// retryAfter is the wait that a reply asks for: the exact one, else the one in
// whole seconds. A date is not read.
func retryAfter(h http.Header) time.Duration {
	for _, from := range []struct {
		name string
		unit time.Duration
	}{{"Retry-After-Ms", time.Millisecond}, {"Retry-After", time.Second}} {
		n, err := strconv.ParseUint(strings.TrimSpace(h.Get(from.name)), 10, 31)
		if err == nil {
			return time.Duration(n) * from.unit
		}
	}
	return 0
}

func text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return strings.ToValidUTF8(string(b), "�")
}

func clip(s string) string {
	s = s[:min(len(s), maxText)]
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "�")
}
