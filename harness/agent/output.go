package agent

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// Output keeps the beginning and the end of what the processes of one task
// print, each up to limit bytes, every line with the process that printed it.
// Writing never waits for anything but another writer.
type Output struct {
	limit int

	mu    sync.Mutex
	head  []byte
	tail  []byte // a ring once it is full
	next  int    // where the ring goes on
	total int64  // bytes written past head
	last  string // the process whose line is open
	open  bool
}

// NewOutput keeps so many bytes of the beginning and as many of the end. 0: [DefaultOutput].
func NewOutput(limit int) *Output {
	if limit <= 0 {
		limit = DefaultOutput
	}
	return &Output{limit: limit}
}

// add takes what a process printed.
func (o *Output) add(process string, text []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	prefix := []byte(process + " | ")
	for len(text) > 0 {
		if o.open && o.last != process {
			o.keep([]byte("\n"))
			o.open = false
		}
		if !o.open {
			o.keep(prefix)
		}
		line := text
		if end := bytes.IndexByte(text, '\n'); end >= 0 {
			line = text[:end+1]
		}
		o.keep(line)
		o.open, o.last = line[len(line)-1] != '\n', process
		text = text[len(line):]
	}
}

func (o *Output) keep(b []byte) {
	if room := o.limit - len(o.head); room > 0 {
		n := min(room, len(b))
		o.head = append(o.head, b[:n]...)
		b = b[n:]
	}
	o.total += int64(len(b))
	if over := len(b) - o.limit; over > 0 {
		b = b[over:]
	}
	if room := o.limit - len(o.tail); room > 0 {
		n := min(room, len(b))
		o.tail = append(o.tail, b[:n]...)
		b = b[n:]
	}
	for len(b) > 0 {
		n := copy(o.tail[o.next:], b)
		o.next = (o.next + n) % o.limit
		b = b[n:]
	}
}

// Print writes what is kept, and between the two parts a line that says how many bytes are missing.
func (o *Output) Print(w io.Writer) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	parts := [][]byte{o.head}
	if dropped := o.total - int64(len(o.tail)); dropped > 0 {
		parts = append(parts, fmt.Appendf(nil, "\n[... %d bytes of output are not kept ...]\n", dropped))
	}
	parts = append(parts, o.tail[o.next:], o.tail[:o.next])
	if o.open {
		parts = append(parts, []byte("\n"))
	}
	for _, part := range parts {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// Add takes what a process printed that the runner does not read itself.
func (o *Output) Add(process string, text []byte) { o.add(process, text) }
