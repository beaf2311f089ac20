package judge

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// call is one request and its reply, with the records that tell of it.
type call struct {
	sent, forwarded, replied, passing, passed *history.Record

	op      contract.Operation
	conn    *conn
	garbled bool // the harness garbled the body of its reply

	// set by the replay
	by      *work
	open    bool // the worker may still wait for its reply
	intent  *intent
	write   bool // it is a send of the intent
	resend  bool // a likely transport resend, see transportResend
	spent   tri  // its reply promises that this attempt had no effect, and was, or may have been, delivered
	binding bool // its evidence has been taken in for good
	heard   bool // of a model: its answer has been taken in
	aside   bool // of a model: it is asked about something else than the task
}

// conn is one connection of a client.
type conn struct {
	opened  *history.Record
	last    *call           // the last request on it
	client  *history.Record // the client's FIN or RST
	harness *history.Record // the end that a fault made
	service *history.Record // the end of the service's side, which the client sees when it has all that came before
	open    []*call         // calls that may still wait for a reply
}

func (c *call) key() string          { return c.sent.Wire.Key }
func (c *call) first() time.Duration { return c.sent.Wire.First }

// stated is what the request states; nothing where it could not be read.
func (c *call) stated() *history.Facts {
	if c.sent.Facts == nil {
		return &history.Facts{}
	}
	return c.sent.Facts
}

// status is that of the reply, 0 without one.
func (c *call) status() int {
	if c.replied == nil {
		return 0
	}
	return c.replied.Wire.Status
}

// said is what the reply states; nothing where there is none.
func (c *call) said() *history.Facts {
	if c.replied == nil || c.replied.Facts == nil {
		return &history.Facts{}
	}
	return c.replied.Facts
}

// wait is what the reply asks to wait, 0 for nothing.
func (c *call) wait() time.Duration {
	if c.replied == nil {
		return 0
	}
	return c.replied.Wire.RetryAfter
}

// records are the numbers of the records that tell of the call.
func (c *call) records() []int { return numbers(c.sent, c.replied, c.passed) }

// end is when the attempt ended for the client: its last reply byte, or the end
// of its connection, whoever ended it, whichever came first. ok is false while
// it is open.
func (c *call) end() (at time.Duration, ok bool) {
	first := func(r *history.Record) {
		if r != nil && (!ok || r.At < at) {
			at, ok = r.At, true
		}
	}
	first(c.conn.client)
	first(c.conn.harness)
	if c.replied == nil {
		first(c.conn.service) // before it could reply
	}
	if c.passed != nil && c.passed.Wire.Whole {
		first(c.passed)
	}
	return at, ok
}

// over is when the attempt ended at the latest for a client that had gone on at
// an instant: a reply that was being written then had been read, however late the
// harness came to record that it was written.
func (c *call) over(by time.Duration) time.Duration {
	end, ok := c.end()
	switch {
	case !ok:
		return c.first()
	case end > by && c.passing != nil && c.passing.At <= by:
		return c.passing.At
	}
	return end
}

// spoilt tells whether the client was given the reply cut or garbled.
func (c *call) spoilt() bool {
	return c.garbled || c.passing != nil && !c.passing.Wire.Whole
}

// abandoned tells whether the client ended the attempt by itself, before it was
// given anything.
func (c *call) abandoned() bool {
	before := func(r *history.Record) bool { return r == nil || c.conn.client.N < r.N }
	return c.conn.client != nil && before(c.passing) && before(c.conn.harness) && before(c.conn.service)
}

// ends is end, or the last instant of the history for a call that is open.
func (c *call) ends(ix *index) time.Duration {
	if at, ok := c.end(); ok {
		return at
	}
	return ix.end.At
}
