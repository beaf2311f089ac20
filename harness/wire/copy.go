package wire

import (
	"bytes"
	"context"
	"net"
	"net/http"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// copied is a request that is to be sent twice.
type copied struct {
	runs    [][]byte
	size    int
	receipt *history.Fault
}

// keep remembers the next bytes of a request that is to be sent twice. One
// longer than 8 MiB is not: the history says so.
func (c *call) keep(receipt *history.Fault, runs ...[]byte) {
	if c.copied == nil {
		c.copied = &copied{receipt: receipt}
	}
	for _, run := range runs {
		run = bytes.Clone(run)
		if c.copied.size += len(run); c.copied.size > heldMax {
			c.copied.runs = nil
			return
		}
		c.copied.runs = append(c.copied.runs, run)
	}
}

// duplicate, where it was ordered, sends the request to the service once more, over a connection of
// its own. The reply is read, recorded and dropped. The client is not
// concerned: the copy goes on when it leaves.
func (c *call) duplicate() {
	if c.copied == nil {
		return
	}
	if c.copied.size > heldMax {
		c.failed(c.copied.receipt, "the request is longer than 8 MiB")
		return
	}
	d := c.newCopy()
	p := c.k.p
	w, facts := *c.sent, c.facts
	p.running.Go(func() {
		defer d.over()
		up, seen, err := p.reach(p.ctx)
		if err != nil {
			c.failed(c.copied.receipt, "no second connection to the service: "+err.Error())
			return
		}
		defer func() { _ = up.Close() }() // what it had to bring has come
		defer context.AfterFunc(p.ctx, func() { _ = up.Close() })()
		seen.add(d.ref)
		sent := d.room()
		*sent = w
		sent.First = p.g.log.Now()
		d.append(history.CallSent, sent, facts)
		for _, run := range c.copied.runs {
			if _, err := up.Write(run); err != nil {
				c.failed(c.copied.receipt, "the service did not take the copy: "+err.Error())
				return
			}
		}
		c.struck(c.copied.receipt, 0)
		forwarded := d.room()
		forwarded.Whole = true
		d.append(history.CallForwarded, forwarded, nil)
		d.drain(up)
	})
}

// drain reads the reply to a copy.
func (c *call) drain(up net.Conn) {
	f := framer{reply: true, method: func() string { return c.method }}
	m := &message{reply: true}
	var res *http.Response
	buf := make([]byte, bufferSize)
	for {
		n, err := up.Read(buf)
		for p := bytes.Clone(buf[:n]); len(p) > 0 && !m.whole; {
			if m.size == 0 {
				m.first = c.k.g.log.Now()
			}
			s, lost := f.next(p)
			m.add(piece{data: p[:s.n], part: s.part}, s.end && !f.interim, false, f.left)
			if s.head && f.interim {
				m = &message{reply: true}
			} else if s.head {
				res = f.res
			}
			if lost != nil {
				return
			}
			p = p[s.n:]
		}
		m.whole = m.whole || err != nil && f.mode == atEOF
		if m.whole || err != nil {
			break
		}
	}
	if res != nil {
		c.recordReplied(m, res, true)
	}
}
