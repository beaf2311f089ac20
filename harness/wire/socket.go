package wire

import (
	"errors"
	"io"
	"math"
	"net"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// A socket is one side of a connection as Toxiproxy's links see it: a source
// that never fails and an outlet that never fails. A link whose destination
// returns an error, or blocks for ever, leaks its goroutines; these do neither.
type socket struct {
	source
	outlet
	*probe
}

func newSocket(c *net.TCPConn) *socket {
	return &socket{source: source{conn: c}, outlet: outlet{conn: c, closed: make(chan struct{})}, probe: newProbe(c)}
}

const (
	firstSize  = 4 << 10 // of the buffer that a connection begins with: most carry small messages only
	bufferSize = 32 << 10
)

// Buffers are shared by all connections, which come and go.
var (
	firstBuffers = sync.Pool{New: func() any { return new([firstSize]byte) }}
	buffers      = sync.Pool{New: func() any { return new([bufferSize]byte) }}
)

// source is the reading half of a socket. It notes how the other side ended.
type source struct {
	conn *net.TCPConn
	half *half        // of the gate that takes what is read
	how  atomic.Value // history.HowFIN, HowRST, or "" when this side closed the socket
}

// WriteTo carries everything to the gate: directly while nothing holds it up,
// else through w, the head of the link. [io.Copy] prefers it to Read. It ends
// without an error however the stream ends.
func (s *source) WriteTo(w io.Writer) (n int64, err error) {
	small := firstBuffers.Get().(*[firstSize]byte)
	defer firstBuffers.Put(small)
	buf := small[:]
	for {
		k, err := s.Read(buf)
		n += int64(k)
		if k > 0 && !s.half.offer(buf[:k:k]) {
			if _, err := w.Write(buf[:k]); err != nil {
				return n, err
			}
		}
		if err != nil {
			return n, nil
		}
		if k == firstSize && k == len(buf) { // there is more to come at once
			large := buffers.Get().(*[bufferSize]byte)
			defer buffers.Put(large)
			buf = large[:]
		}
	}
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.conn.Read(p)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, io.EOF):
		s.how.Store(history.HowFIN)
	case errors.Is(err, net.ErrClosed):
		s.how.Store("")
	default:
		s.how.Store(history.HowRST)
	}
	return n, io.EOF
}

// end tells how the stream ended. ok is false while it has not.
func (s *source) end() (how string, ok bool) {
	how, ok = s.how.Load().(string)
	return how, ok
}

// A mark is something to do at a place in the bytes that an outlet writes: just
// before and just after the byte that stands before the place.
type mark struct {
	at     int64
	call   *call  // whose message ends here; nil: no record
	size   int64  // bytes of its body that have been given by then
	start  int64  // where it begins
	from   int64  // where its body begins
	whole  bool   // all of it has been
	ending ending // of the client's connection
	begins bool   // the byte before the place is the first of a reply that is let go in parts; nothing else is done here

	by      *call          // the call that a fault is carried out on here; nil: none
	receipt *history.Fault // that fault
}

// ending is how the harness ends a connection.
type ending uint8

const (
	stay ending = iota // go on
	hang               // keep it open and silent
	fin
	rst
)

// outlet is the writing half of a socket. Bytes that can no longer be written
// are discarded.
type outlet struct {
	conn    *net.TCPConn
	closed  chan struct{}                            // closed by Close
	carry   func(m mark, written int64, before bool) // carries out a mark
	onClose func()

	mu    sync.Mutex
	marks []mark
	done  int64 // bytes written or discarded
	live  int64 // of them, bytes that the kernel took

	dead atomic.Bool // all further bytes are discarded
}

// Write never fails. Only one goroutine writes at a time.
func (o *outlet) Write(p []byte) (int, error) {
	size := len(p)
	for len(p) > 0 {
		m, ok := o.due(int64(len(p)))
		if ok && m.begins {
			o.carry(m, 0, true)
			continue
		}
		n := len(p)
		if ok {
			n = int(m.at - o.done)
			o.carry(m, 0, true)
		}
		o.write(p[:n])
		if ok {
			o.carry(m, o.live, false)
		}
		p = p[n:]
	}
	return size, nil
}

// ReadFrom is what [io.Copy] uses. It needs a buffer only when there is
// something to read: the gate writes past the link unless a toxic stands behind
// it.
func (o *outlet) ReadFrom(r io.Reader) (n int64, err error) {
	var first [1]byte
	buf := first[:]
	for {
		k, err := r.Read(buf)
		n += int64(k)
		_, _ = o.Write(buf[:k])
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		if len(buf) == len(first) {
			buf = make([]byte, bufferSize)
		}
	}
}

// due takes the first mark within the next n bytes.
func (o *outlet) due(n int64) (mark, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.take(n)
}

// take is due with the lock held.
func (o *outlet) take(n int64) (mark, bool) {
	if len(o.marks) == 0 || o.marks[0].at > o.done+n {
		return mark{}, false
	}
	m := o.marks[0]
	o.marks = slices.Delete(o.marks, 0, 1)
	return m, true
}

func (o *outlet) write(p []byte) {
	n := 0
	if !o.dead.Load() {
		var err error
		if n, err = o.conn.Write(p); err != nil {
			o.dead.Store(true)
		}
	}
	o.mu.Lock()
	o.done += int64(len(p))
	o.live += int64(n)
	m, ok := o.take(0)
	o.mu.Unlock()
	if ok {
		o.overtaken(m)
	}
}

// overtaken carries out m and the other marks whose place has been passed already.
func (o *outlet) overtaken(m mark) {
	for ok := true; ok; m, ok = o.due(0) {
		o.carry(m, 0, true)
		o.mu.Lock()
		live := o.live
		o.mu.Unlock()
		o.carry(m, live, false)
	}
}

// mark registers m; a mark at a place that has been reached is carried out at once.
func (o *outlet) mark(m mark) {
	o.mu.Lock()
	i := len(o.marks)
	for m.begins && i > 0 && o.marks[i-1].at > m.at {
		i-- // the message that begins ends there
	}
	o.marks = slices.Insert(o.marks, i, m)
	late, ok := o.take(0)
	o.mu.Unlock()
	if ok {
		o.overtaken(late)
	}
}

// kill discards all further bytes.
func (o *outlet) kill() {
	o.dead.Store(true)
}

// abandon discards all further bytes and carries out all further marks at once.
func (o *outlet) abandon() {
	o.dead.Store(true)
	o.mu.Lock()
	o.done = math.MaxInt64 / 2
	m, ok := o.take(0)
	o.mu.Unlock()
	if ok {
		o.overtaken(m)
	}
}

// ended tells whether bytes are discarded.
func (o *outlet) ended() bool {
	return o.dead.Load()
}

// Close is called once by the link, after its last Write.
func (o *outlet) Close() error {
	o.onClose()
	close(o.closed)
	return nil
}
