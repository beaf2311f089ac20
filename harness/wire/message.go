package wire

import (
	"bytes"
	"hash/maphash"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
	"unsafe"
)

// piece is a part of a message as it came, never altered in place.
type piece struct {
	data []byte
	part part

	chunk    int   // of a chunked body: the number of the chunk whose data it is, from 1
	from, of int64 // and where in them it begins, and how long they are
}

// A message is one request or reply on its way through a gate. Its owner is the
// gate; the other gate may record a request that it has begun to answer. The gate
// uses one message for all of a direction, one after the other.
type message struct {
	call  *call         // nil: a reply to no request, or an interim one; of a request set with [message.of]
	reply bool          //
	first time.Duration // instant of its first byte
	ready bool          // its head is complete

	flows  bool // it need not be gathered
	events bool // it is an event stream
	parts  bool // it is let go in parts, and none was yet

	mu       sync.Mutex
	recorded bool    // as far as it will be
	pieces   []piece // gathered and not let go
	room     [2]piece
	head     int64           // bytes of the head
	size     int64           // bytes so far
	content  int64           // bytes of its body so far
	body     []byte          // the first of them, as long as they came in one piece
	owned    bool            // body will not be overwritten
	owns     int             // nor will so many of the pieces
	longer   strings.Builder // and when they did not
	whole    bool            // it is complete
	sum      *maphash.Hash   // of a request
}

// of says whose request it is.
func (m *message) of(c *call) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.call = c
}

// begin makes m a new message.
func (m *message) begin(first time.Duration, reply bool, sum *maphash.Hash) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.first, m.reply, m.sum = first, reply, sum
}

// end drops everything of a message that the gate is through with. A request
// has been recorded by then, unless nobody will.
func (m *message) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.call, m.first, m.reply, m.ready = nil, 0, false, false
	m.flows, m.events, m.parts = false, false, false
	m.recorded, m.whole, m.sum = false, false, nil
	m.pieces, m.room, m.owns = nil, [2]piece{}, 0
	m.head, m.size, m.content = 0, 0, 0
	m.body, m.owned = nil, false
	m.longer.Reset() // a text that was taken from it stays
}

// add takes the next piece. keep: the message is still gathered. rest is how
// much of the body is known to come after it.
func (m *message) add(p piece, end, keep bool, rest int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if keep {
		if m.pieces == nil {
			m.pieces = m.room[:0]
		}
		m.pieces = append(m.pieces, p)
	}
	m.size += int64(len(p.data))
	m.whole = end
	if m.sum != nil && !m.recorded {
		_, _ = m.sum.Write(p.data)
	}
	switch p.part {
	case inHead:
		m.head += int64(len(p.data))
	case content, opaque:
		m.addBody(p.data, rest)
		m.content += int64(len(p.data))
	case filler, coding:
	}
}

// addBody keeps the first 64 KiB. They are copied once, and only when they come
// in several pieces.
func (m *message) addBody(p []byte, rest int64) {
	have := int(min(m.content, maxBody))
	p = p[:min(maxBody-have, len(p))]
	switch {
	case len(p) == 0:
		return
	case have == 0:
		m.body, m.owned = p, false
		return
	case m.longer.Len() == 0:
		m.lengthen(int64(len(p)) + rest)
	}
	m.longer.Write(p)
}

// lengthen makes room for a body of which so much more is known to come.
func (m *message) lengthen(rest int64) {
	have := int64(len(m.body))
	m.longer.Grow(int(min(maxBody, have+max(rest, have))))
	m.longer.Write(m.body)
	m.body = nil
}

// own makes what was kept of c, the bytes taken last, the message's own: they
// may be about to be overwritten. rest is as in add.
func (m *message) own(c chunk, rest int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.recorded:
		m.body, m.owned = nil, true
	case !m.owned && c.lent && len(m.body) > 0 && len(m.pieces) == 0:
		m.lengthen(rest)
	}
	if c.lent && m.owns < len(m.pieces) {
		mine := bytes.Clone(c.data)
		mine = mine[:len(mine):len(mine)]
		same := func(p []byte) []byte {
			from := cap(c.data) - cap(p) // both end where the chunk does
			return mine[from : from+len(p)]
		}
		for i := m.owns; i < len(m.pieces); i++ {
			m.pieces[i].data = same(m.pieces[i].data)
		}
		if !m.owned && len(m.body) > 0 {
			m.body = same(m.body)
		}
	}
	m.owns, m.owned = len(m.pieces), len(m.body) > 0
}

// text is the body so far, up to 64 KiB, and raw the same. raw is for reading
// only, and only until the next piece is added.
func (m *message) text() (text string, raw []byte) {
	if m.longer.Len() == 0 {
		return valid(string(m.body)), m.body
	}
	text = m.longer.String()
	return valid(text), unsafe.Slice(unsafe.StringData(text), len(text)) //nolint:gosec // a dialect must not change what it is given
}

func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "�")
}

// let hands out the pieces, to be let go or dropped.
func (m *message) let() []piece {
	m.mu.Lock()
	defer m.mu.Unlock()
	p := m.pieces
	m.pieces, m.owns = nil, 0
	return p
}

// digest is that of all bytes of a request so far. Its seed is the gateway's own
// and secret, so that nobody can make two requests of one digest. The lock is
// held.
func (m *message) digest() string {
	const digits = 16
	var text [digits]byte
	for i, sum := digits-1, m.sum.Sum64(); i >= 0; i, sum = i-1, sum>>4 {
		text[i] = "0123456789abcdef"[sum&15]
	}
	return string(text[:])
}

// joined adds the pieces to runs, as few as they came in: pieces that were cut
// from one chunk are one run again.
func joined(runs [][]byte, pieces []piece) [][]byte {
	for _, p := range pieces {
		if len(p.data) == 0 {
			continue
		}
		if i := len(runs) - 1; i >= 0 {
			run := runs[i]
			if n := len(run); cap(run) > n && &run[:n+1][n] == &p.data[0] {
				runs[i] = run[:n+len(p.data)]
				continue
			}
		}
		runs = append(runs, p.data)
	}
	return runs
}
