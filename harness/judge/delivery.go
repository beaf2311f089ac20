package judge

import (
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// classify tells whether the client took the reply of c. A successful write of
// the proxy proves nothing: with the reply written after the client had given
// up, every client tried still accepted the bytes in its kernel.
//
//   - delivered: the last byte was written before any FIN or RST of the client, and
//     afterwards the client sent another request on that connection, or closed it
//     with FIN more than the noise later;
//   - undelivered: its FIN or RST came before the last byte, or an RST (unread
//     bytes) after it;
//   - ambiguous: anything else, and a cut reply of which the deciding part was written.
func classify(c *call, noise time.Duration) delivery {
	if c.passing == nil || c.replied == nil || c.passing.Wire.Gone {
		return undelivered
	}
	if !c.passing.Wire.Whole {
		return classifyCut(c)
	}
	if c.next != nil {
		return delivered
	}
	end := c.conn.client
	switch {
	case end == nil:
		return ambiguous
	case end.N < c.passing.N, end.Wire.How == history.HowRST:
		return undelivered
	}
	written := c.passing.At
	if c.passed != nil {
		written = c.passed.At
	}
	if end.At-written > noise {
		return delivered
	}
	return ambiguous
}

// classifyCut looks at what was written of a reply that was cut: a lenient
// reader may act on it once it has the part that names the record.
func classifyCut(c *call) delivery {
	given := c.passing.Wire.Size
	if c.passed != nil {
		given = c.passed.Wire.Size
	}
	body := c.replied.Wire.Body
	if given <= 0 || c.replied.Facts == nil {
		return undelivered
	}
	part := body[:min(int(given), len(body))]
	if ref := c.replied.Facts.Ref; ref != "" && strings.Contains(part, ref) {
		return ambiguous
	}
	return undelivered
}

// transportResend tells whether c is likely an HTTP library's own resend of
// prev rather than a recovery action: byte-identical, at once, after a reused
// connection ended before a byte of the reply.
func transportResend(prev, c *call, base time.Duration) bool {
	if prev == nil || prev.work() != c.work() || prev.sent.Wire.Digest == "" || prev.sent.Wire.Digest != c.sent.Wire.Digest {
		return false
	}
	if prev.sent.Wire.Seq < 2 || prev.passing != nil {
		return false
	}
	end, ended := prev.end()
	return ended && c.first()-end <= base/2
}
