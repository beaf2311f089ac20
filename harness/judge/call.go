package judge

import (
	"slices"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// delivery is what is known about whether a client took a reply.
type delivery uint8

const (
	undelivered delivery = iota
	ambiguous
	delivered
)

// call is one request and its reply, with the records that tell of it.
type call struct {
	sent, replied, passing, passed *history.Record

	op       contract.Operation
	conn     *conn
	next     *call // the next request on the same connection
	intent   *intent
	resend   bool // a likely transport resend, see transportResend
	noEffect bool // its reply was delivered and promises that this attempt had no effect
	binding  bool // its evidence has been taken in for good
}

func (c *call) work() string         { return c.sent.Work }
func (c *call) key() string          { return c.sent.Wire.Key }
func (c *call) first() time.Duration { return c.sent.Wire.First }

// records are the numbers of the records that tell of the call.
func (c *call) records() []int {
	var ns []int
	for _, r := range []*history.Record{c.sent, c.replied, c.passed} {
		if r != nil {
			ns = append(ns, r.N)
		}
	}
	return ns
}

// end is when the attempt ended for the client: its last reply byte, or the end
// of its connection, whoever ended it, whichever came first. ok is false while
// it is open.
func (c *call) end() (at time.Duration, ok bool) {
	for _, r := range []*history.Record{c.conn.client, c.conn.other} {
		if r != nil && (!ok || r.At < at) {
			at, ok = r.At, true
		}
	}
	if c.passed != nil && c.passed.Wire.Whole && (!ok || c.passed.At < at) {
		return c.passed.At, true
	}
	return at, ok
}

// conn is one connection of a client.
type conn struct {
	last   *call
	client *history.Record // the client's FIN or RST
	other  *history.Record // the first end that came from the service or the harness
}

// index is the first pass: which records belong to which call.
type index struct {
	calls map[string]*call
	conns map[string]*conn
	start *history.Record // run.started
	end   *history.Record // the last record
	noise time.Duration

	sorted []*call
}

// noiseFloor is the least noise that is assumed of any machine.
const noiseFloor = 2 * time.Millisecond

func indexRecords(records []history.Record) *index {
	ix := &index{calls: map[string]*call{}, conns: map[string]*conn{}, noise: noiseFloor}
	for i := range records {
		r := &records[i]
		ix.end = r
		switch r.Kind {
		case history.RunStarted:
			ix.start = r
		case history.RunNoise:
			ix.noise = max(ix.noise, r.Run.Noise)
		case history.CallSent:
			ix.open(r)
		case history.CallReplied, history.CallPassing, history.CallPassed:
			ix.follow(r)
		case history.ConnEnded:
			ix.close(r)
		}
	}
	return ix
}

func (ix *index) connection(id string) *conn {
	c := ix.conns[id]
	if c == nil {
		c = &conn{}
		ix.conns[id] = c
	}
	return c
}

func (ix *index) open(r *history.Record) {
	op, known := operations[r.Wire.Service+"."+r.Wire.Operation]
	if !known {
		op = contract.Operation{Service: r.Wire.Service, Name: r.Wire.Operation}
	}
	c := &call{sent: r, op: op, conn: ix.connection(r.Wire.Conn)}
	if !r.Wire.Copy {
		if c.conn.last != nil {
			c.conn.last.next = c
		}
		c.conn.last = c
	}
	ix.calls[r.Call] = c
}

func (ix *index) follow(r *history.Record) {
	c := ix.calls[r.Call]
	if c == nil {
		return
	}
	switch r.Kind {
	case history.CallReplied:
		c.replied = r
	case history.CallPassing:
		c.passing = r
	default:
		c.passed = r
	}
}

func (ix *index) close(r *history.Record) {
	c := ix.connection(r.Wire.Conn)
	switch {
	case r.Wire.By == history.ByClient && c.client == nil:
		c.client = r
	case r.Wire.By != history.ByClient && c.other == nil:
		c.other = r
	}
}

// inOrder are all calls in the order in which they were sent.
func (ix *index) inOrder() []*call {
	if ix.sorted == nil {
		ix.sorted = make([]*call, 0, len(ix.calls))
		for _, c := range ix.calls {
			ix.sorted = append(ix.sorted, c)
		}
		slices.SortFunc(ix.sorted, func(a, b *call) int { return a.sent.N - b.sent.N })
	}
	return ix.sorted
}

// operations are all operations by their full name.
var operations = func() map[string]contract.Operation {
	all := map[string]contract.Operation{}
	for _, o := range contract.Operations() {
		all[o.String()] = o
	}
	return all
}()
