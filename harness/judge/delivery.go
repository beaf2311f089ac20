package judge

import (
	"sort"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// delivery is what is known about whether a client took a reply.
type delivery uint8

const (
	undelivered delivery = iota
	ambiguous
	delivered
)

// classify tells whether the client took the reply of c. A successful write of
// the proxy proves nothing: with the reply written after the client had given
// up, every client tried still accepted the bytes in its kernel.
//
//   - delivered: the last byte was written before any FIN or RST of the client, and
//     afterwards the client sent another request on that connection, or closed it
//     with FIN of its own accord, more than the noise later or so soon after its
//     request that nobody's patience was over;
//   - undelivered: its FIN or RST came before the last byte, or the kernel says that
//     bytes were left, unless the reply was so long that the part that decides may
//     have been read before;
//   - ambiguous: anything else, and a cut or garbled reply of which the deciding part
//     was written. So is a FIN that came of a kill: a library may have read what its
//     caller had not come to. So is one of a client that has only ended its sending,
//     and an RST: it tells of unread bytes, or of a client that closes so always.
func (ix *index) classify(c *call) delivery {
	end := c.conn.client
	half := end != nil && end.Wire.Half
	switch {
	case c.passing == nil || c.replied == nil:
		return undelivered
	case c.passing.Wire.Gone && !half && !ix.readOn(c):
		return undelivered
	case c.spoilt():
		return classifyPart(c)
	case c.conn.last != c && c.conn.last.first() > c.passing.At:
		return delivered
	case end == nil, half, c.passing.Wire.Gone:
		return ambiguous
	case end.N < c.passing.N:
		return undelivered
	case end.Wire.How == history.HowRST:
		return ambiguous
	case end.Wire.Left:
		if c.passing.Wire.Size > oneRead {
			return classifyPart(c) // only the end of it may be unread
		}
		return undelivered
	case ix.killedBefore(c, end):
		return ambiguous
	case end.At-ix.readable(c) > ix.noise.at(ix.readable(c), end.At), ix.swift(c):
		return delivered
	}
	return ambiguous
}

// readOn tells whether a client that had ended its sending may have read a reply
// that was written afterwards: its end came no other way than by FIN, and nothing
// that was written came too late for it.
func (ix *index) readOn(c *call) bool {
	end := c.conn.client
	return end != nil && end.N > c.passing.N && end.Wire.How == history.HowFIN && !end.Wire.Left
}

// swift tells whether the whole reply was written so soon after the connection
// was opened, or the request began on one that was in use, that no client can
// have lost its patience: within a quarter of what the limits give an attempt,
// the noise included. A client that opens a connection for each request closes
// it as soon as it has read the reply. One that has heard meanwhile of a change
// may have broken its request off because of it.
func (ix *index) swift(c *call) bool {
	heard := ix.heard[c.sent.Work] // in the order of the history
	if i := sort.Search(len(heard), func(i int) bool { return heard[i].N > c.sent.N }); i < len(heard) && heard[i].N < c.conn.client.N {
		return false
	}
	began := c.first()
	if c.sent.Wire.Seq <= 1 && c.conn.opened != nil {
		began = min(began, c.conn.opened.At)
	}
	read := ix.readable(c)
	return read-began+ix.noise.at(began, read) <= ix.patience/4
}

// givenUp tells whether the client may have ended the attempt by itself, without
// a reply, whatever was recorded first.
func (ix *index) givenUp(c *call) bool {
	end, before := c.conn.client, func(r *history.Record) bool { return r == nil || c.conn.client.N < r.N }
	return end != nil && before(c.conn.harness) && before(c.conn.service) && ix.classify(c) != delivered
}

// oneRead is how long a reply can be that every client takes from its socket in
// one read, with its head, or not at all. The least buffer of those tried has 4 KiB.
const oneRead = 2 << 10

// killedBefore tells whether the harness killed the client's process before a record.
func (ix *index) killedBefore(c *call, r *history.Record) bool {
	pr := ix.worker[c.sent.Work]
	return pr != nil && pr.kill != nil && pr.kill.N < r.N
}

// readable is from when the client could read the whole reply: not while the
// harness had stopped its process.
func (ix *index) readable(c *call) time.Duration {
	written := c.passing.At
	if c.passed != nil {
		written = c.passed.At
	}
	if pr := ix.worker[c.sent.Work]; pr != nil {
		if stop := pr.pausedAt(written); stop != nil {
			return stop.to
		}
	}
	return written
}

// classifyPart looks at what was written of a reply that was cut or garbled: a
// lenient reader may act on it once it has the part that decides. That is the
// status of a reply that is no success, and of others the reference or the
// state that it names.
func classifyPart(c *call) delivery {
	if c.status() >= 300 {
		return ambiguous // the head always goes first
	}
	given := c.passing.Wire.Size
	if c.passed != nil {
		given = min(given, c.passed.Wire.Size)
	}
	body := c.replied.Wire.Body
	part := body[:max(0, min(int(given), len(body)))]
	if c.garbled || part == "" {
		return undelivered
	}
	names := func(f *history.Facts) bool {
		return f.Ref != "" && strings.Contains(part, f.Ref) || f.Final && strings.Contains(part, f.Status)
	}
	f := c.said()
	if names(f) {
		return ambiguous
	}
	for n := range f.Items {
		if names(&f.Items[n]) {
			return ambiguous
		}
	}
	return undelivered
}

// transportResend tells whether c is likely an HTTP library's own resend of
// prev, the send of the same worker before it, rather than a recovery action:
// byte-identical, at once, after a reused connection was ended from the other
// side before a byte of the reply.
func transportResend(prev, c *call, base time.Duration) bool {
	if prev == nil || prev.sent.Wire.Digest == "" || prev.sent.Wire.Digest != c.sent.Wire.Digest {
		return false
	}
	if prev.sent.Wire.Seq < 2 || prev.passing != nil || prev.abandoned() {
		return false
	}
	end, ended := prev.end()
	return ended && c.first()-end <= base/2
}
