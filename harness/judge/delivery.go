package judge

import (
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
//     with FIN more than the noise later, of its own accord;
//   - undelivered: its FIN or RST came before the last byte, or an RST (unread
//     bytes) after it, or the kernel says that bytes were left, unless the reply was
//     so long that the part that decides may have been read before;
//   - ambiguous: anything else, and a cut or garbled reply of which the deciding part
//     was written. So is a FIN that came of a kill: a library may have read what its
//     caller had not come to. So is one of a client that has only ended its sending.
func (ix *index) classify(c *call) delivery {
	end := c.conn.client
	half := end != nil && end.Wire.Half
	switch {
	case c.passing == nil || c.replied == nil || c.passing.Wire.Gone && !half:
		return undelivered
	case c.spoilt():
		return classifyPart(c)
	case c.conn.last != c && c.conn.last.first() > c.passing.At:
		return delivered
	case end == nil, half:
		return ambiguous
	case end.N < c.passing.N:
		return undelivered
	case end.Wire.How == history.HowRST, end.Wire.Left:
		if c.passing.Wire.Size > oneRead {
			return classifyPart(c) // only the end of it may be unread
		}
		return undelivered
	case end.At-ix.readable(c) > ix.noise.at(ix.readable(c), end.At) && !ix.killedBefore(c, end):
		return delivered
	}
	return ambiguous
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
