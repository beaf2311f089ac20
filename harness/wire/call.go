package wire

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

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

	named     bool          // it has its operation and its ordinal
	method    string        // "" when the head was never complete
	req       *http.Request // likewise nil; another one's when the gate is through with asked
	asked     *message      // the request; it is another one's when it says so
	ask1xx    bool          // the client waits for an interim reply before it sends the body
	sent      *history.Wire // the record of the request, once it is made
	facts     *history.Facts
	kept      *[usualRecords]history.Wire
	records   atomic.Int32
	passes    bool          // call.passing is recorded; set and read by the writer of the reply, as is begun
	begun     time.Duration // when the first byte of a reply in parts was written
	copied    *copied       // set where a fault wants the request duplicated
	mu        sync.Mutex
	leaving   bool // the last byte of the request is being written to the service
	forwarded bool // and call.forwarded is recorded

	halves atomic.Int32 // of request and reply, those that are no longer on their way
	done   atomic.Bool  // nothing of it is in flight any more
}

// newCall gives the next request of k, which is m, its number. req is nil when its head is
// not complete or no HTTP. A request whose operation stands in its body has no
// name yet.
func (k *conn) newCall(req *http.Request, m *message) *call {
	g := k.g
	c := &call{k: k, op: Unknown, req: req, asked: m, kept: new([usualRecords]history.Wire)}
	late := false
	m.of(c)
	if req != nil {
		c.method = req.Method
		c.ask1xx = strings.EqualFold(first(req.Header, "Expect"), "100-continue") && req.ProtoAtLeast(1, 1)
		if late = g.inBody != nil && g.inBody.InBody(k.p.door.Service, req); !late {
			c.is(g.dialect.Operation(k.p.door.Service, req))
		}
	}
	k.mu.Lock()
	k.sent++
	c.seq = k.sent
	k.open = append(k.open, c)
	k.mu.Unlock()

	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls++
	c.ref = fault.Ref{Call: "c-" + strconv.Itoa(g.calls), Task: k.p.door.Task, Work: k.p.door.Work, Reused: c.seq > 1}
	if !late {
		c.number()
	}
	g.begin()
	return c
}

// is gives the call its operation.
func (c *call) is(op string) {
	if op != "" {
		c.op = op
	}
}

// number gives the call its ordinal. The gateway's lock is held.
func (c *call) number() {
	g := c.k.g
	of := matter{c.ref.Task, c.k.p.door.Service, c.op}
	g.ordinals[of]++
	c.ref.Ordinal = g.ordinals[of]
	c.named = true
}

// name gives the call the operation that stands in its body, as far as that has
// come. Before it nobody knows of the call.
func (c *call) name() {
	if c.named {
		return
	}
	g := c.k.g
	_, raw := c.asked.text()
	c.is(g.inBody.BodyOperation(c.k.p.door.Service, c.req, raw))
	g.mu.Lock()
	defer g.mu.Unlock()
	c.number()
}

// newCopy is the call that a duplicate of c is.
func (c *call) newCopy() *call {
	g := c.k.g
	d := &call{k: c.k, op: c.op, method: c.method, named: true, kept: new([usualRecords]history.Wire)}
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
	if i := slices.Index(c.k.open, c); i >= 0 {
		c.k.open = slices.Delete(c.k.open, i, i+1)
	}
	c.k.mu.Unlock()
	g := c.k.g
	g.mu.Lock()
	defer g.mu.Unlock()
	g.end()
}

func (c *call) at(phase fault.Phase) fault.Point {
	return fault.Point{Ref: c.ref, Service: c.k.p.door.Service, Operation: c.op, Phase: phase}
}

// ask asks the seam what to do at a phase.
func (c *call) ask(phase fault.Phase) fault.Order { return c.k.g.seam.At(c.k.g.ctx, c.at(phase)) }

// concerned tells whether something can come of a phase.
func (c *call) concerned(phase fault.Phase) bool {
	return c.k.g.scout == nil || c.k.g.scout.Concerns(c.at(phase))
}

// struck records that the gate carried out a fault on this call, after so many
// bytes of the message.
func (c *call) struck(receipt *history.Fault, after int64) {
	c.receipt(history.FaultStruck, receipt, after, "")
}

// failed records that it could not.
func (c *call) failed(receipt *history.Fault, reason string) {
	c.receipt(history.FaultFailed, receipt, 0, reason)
}

func (c *call) receipt(kind history.Kind, receipt *history.Fault, after int64, reason string) {
	if receipt == nil {
		return
	}
	f := *receipt
	f.Byte, f.Reason = after, reason
	c.k.g.log.Append(history.Record{Kind: kind, Task: c.ref.Task, Work: c.ref.Work, Call: c.ref.Call, Fault: &f})
}

// append records what stands in w, which is from [call.room].
func (c *call) append(kind history.Kind, w *history.Wire, f *history.Facts) {
	w.Service, w.Operation, w.Ordinal = c.k.p.door.Service, c.op, c.ref.Ordinal
	w.Conn, w.Seq, w.Copy = c.k.id, c.seq, c.ref.Copy
	c.k.g.log.Append(history.Record{
		Kind: kind, Task: c.ref.Task, Work: c.ref.Work, Call: c.ref.Call, Wire: w, Facts: f,
	})
}

// usualRecords is how many records a call has that nothing befalls.
const usualRecords = 5

// room is where the next record of the call is kept; it is empty. The usual ones of a call
// are made at once: they stay together for as long as the history does. The two
// directions of a connection record side by side.
func (c *call) room() *history.Wire {
	n := int(c.records.Add(1)) - 1
	if n >= usualRecords {
		return new(history.Wire)
	}
	return &c.kept[n]
}

// recordSent records the request, once, as it is by now.
func (c *call) recordSent() {
	m := c.asked
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.call != c || m.recorded { // the gate is through with it, or with its record
		return
	}
	m.recorded = true
	w := c.room()
	facts := c.requested(w)
	c.append(history.CallSent, w, facts)
	c.sent, c.facts = w, facts
}

// requested writes into w what the request says, as it is by now. The request's lock is held.
func (c *call) requested(w *history.Wire) (facts *history.Facts) {
	m := c.asked
	body, raw := m.text()
	w.First, w.Size, w.Whole, w.Body, w.Digest = m.first, m.size, m.whole, body, m.digest()
	if c.req != nil {
		w.Method = clip(c.req.Method)
		w.Path = clip(c.req.RequestURI)
		w.Key = clip(first(c.req.Header, "Idempotency-Key"))
		facts = c.k.g.dialect.Request(c.k.p.door.Service, c.op, c.req, raw)
	}
	return facts
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
		w := c.room()
		w.Whole = true
		c.append(history.CallForwarded, w, nil)
	}
}

// recordReplied records the reply m as it is by now. last: no other record of it
// follows; only that one has facts.
func (c *call) recordReplied(m *message, res *http.Response, last bool) {
	m.recorded = last
	c.recordForwarded()
	body, raw := m.text()
	var facts *history.Facts
	if last {
		facts = c.k.g.dialect.Reply(c.k.p.door.Service, c.op, res.StatusCode, res.Header, raw)
	}
	w := c.room()
	w.First, w.Size, w.Whole, w.Body = m.first, m.size, m.whole, body
	w.Status, w.RetryAfter = res.StatusCode, retryAfter(res.Header)
	c.append(history.CallReplied, w, facts)
}

// news tells whether a reply that flows is to be recorded for good before p, its
// latest piece, is let go: when 64 KiB of it have come, or when an event stream
// states something.
func (c *call) news(m *message, p piece, res *http.Response) bool {
	switch {
	case m.recorded:
		return false
	case m.content >= maxBody:
		return true
	case !m.events || p.part != content || bytes.IndexByte(p.data, '\n') < 0:
		return false
	}
	_, raw := m.text()
	f := c.k.g.dialect.Reply(c.k.p.door.Service, c.op, res.StatusCode, res.Header, raw)
	return f != nil && !f.Malformed
}

// isEvents tells whether a reply is an event stream, which its client reads
// while it comes.
func isEvents(res *http.Response) bool {
	kind, _, _ := strings.Cut(first(res.Header, "Content-Type"), ";")
	return strings.EqualFold(strings.TrimSpace(kind), "text/event-stream")
}

func (c *call) passing(m mark, left bool) {
	w := c.room()
	w.Size, w.Whole, w.Gone, w.Begun = m.size, m.whole, left, c.begun
	c.append(history.CallPassing, w, nil)
}

// passed is called when live bytes of the connection have been written in all.
func (c *call) passed(m mark, live int64) {
	w := c.room()
	w.Size, w.Whole, w.Begun = m.size, m.whole, c.begun
	if live < m.at { // the client was gone before
		w.Size, w.Whole = min(m.size, max(0, live-m.from)), false
	}
	c.append(history.CallPassed, w, nil)
}

// retryAfter is the wait that a reply asks for: the exact one, else the one in
// whole seconds. A date is not read.
func retryAfter(h http.Header) time.Duration {
	for _, from := range []struct {
		name string
		unit time.Duration
	}{{"Retry-After-Ms", time.Millisecond}, {"Retry-After", time.Second}} {
		text := first(h, from.name)
		if text == "" {
			continue
		}
		if n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 31); err == nil {
			return time.Duration(n) * from.unit
		}
	}
	return 0
}

// first is the first value of a field whose name is written as net/http writes it.
func first(h http.Header, name string) string {
	if all := h[name]; len(all) > 0 {
		return all[0]
	}
	return ""
}

func clip(s string) string {
	return valid(s[:min(len(s), maxText)])
}
