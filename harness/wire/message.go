package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"sync"
	"time"
)

// piece is a part of a message as it came, never altered in place.
type piece struct {
	data []byte
	part part
}

// A message is one request or reply on its way through a gate. Its owner is the
// gate; the other gate may record a request that it has begun to answer.
type message struct {
	call  *call         // nil: a reply to no request, or an interim one
	reply bool          //
	first time.Duration // instant of its first byte
	ready bool          // its head is complete

	mu       sync.Mutex
	recorded bool
	pieces   []piece   // gathered and not let go
	head     int64     // bytes of the head
	size     int64     // bytes so far
	content  int64     // bytes of its body so far
	body     []byte    // the first of them
	own      bool      // body is not part of a piece
	whole    bool      // it is complete
	sum      hash.Hash // of a request, once pieces have been let go
}

// add takes the next piece. keep: the message is still gathered.
func (m *message) add(p piece, end, keep bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if keep {
		m.pieces = append(m.pieces, p)
	}
	m.size += int64(len(p.data))
	m.whole = end
	if m.sum != nil && !m.recorded {
		m.sum.Write(p.data)
	}
	switch p.part {
	case inHead:
		m.head += int64(len(p.data))
	case content, opaque:
		m.content += int64(len(p.data))
		m.addBody(p.data)
	case filler, coding:
	}
}

func (m *message) addBody(p []byte) {
	p = p[:min(maxBody-len(m.body), len(p))]
	switch {
	case len(p) == 0:
	case m.body == nil:
		m.body = p[:len(p):len(p)]
	case m.own:
		m.body = append(m.body, p...)
	default:
		m.own = true
		m.body = append(append(make([]byte, 0, min(maxBody, 4*(len(m.body)+len(p)))), m.body...), p...)
	}
}

// let hands out the pieces, to be let go or dropped.
func (m *message) let() []piece {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.reply && !m.recorded {
		m.hash()
	}
	p := m.pieces
	m.pieces = nil
	return p
}

// hash begins to hash; the pieces are all there.
func (m *message) hash() {
	if m.sum != nil {
		return
	}
	m.sum = sha256.New()
	for _, p := range m.pieces {
		m.sum.Write(p.data)
	}
}

// digest is that of all bytes so far. m.mu is held.
func (m *message) digest() string {
	m.hash()
	return hex.EncodeToString(m.sum.Sum(nil))
}

// joined are the pieces in as few runs as they came in: pieces that were cut
// from one chunk are one run again.
func joined(pieces []piece) [][]byte {
	var runs [][]byte
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
