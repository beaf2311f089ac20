package history

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// A Log appends records in one total order. It is safe for concurrent use. The
// zero value is not usable; see [NewLog].
type Log struct {
	start time.Time

	mu       sync.Mutex
	w        io.Writer
	err      error
	records  [][]Record // all of them, a block after the other
	n        int        // how many
	watchers map[int]func(Record)
	nextID   int
}

// block is how many records are kept together. No record is ever moved: whoever
// appends holds up everybody else.
const block = 128

// NewLog starts a log whose instant 0 is now. Each record is written to w as
// one line with one write before Append returns; w may be nil.
func NewLog(w io.Writer) *Log {
	return &Log{start: time.Now(), w: w, watchers: map[int]func(Record){}}
}

// NewLogSince is a log in memory whose instant 0 is a time of day, so that two
// processes of one machine count from the same instant.
func NewLogSince(start time.Time) *Log {
	l := NewLog(nil)
	l.start = l.start.Add(-l.start.Round(0).Sub(start.Round(0)))
	return l
}

// Start is the wall-clock time of instant 0.
func (l *Log) Start() time.Time { return l.start }

// Now is the present instant of the log's clock.
func (l *Log) Now() time.Duration { return time.Since(l.start) }

// Append numbers and dates r, keeps it, and returns it as kept. A failing
// writer does not stop the log: the first error is reported by [Log.Err].
func (l *Log) Append(r Record) Record {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.n%block == 0 {
		l.records = append(l.records, make([]Record, 0, block))
	}
	l.n++
	r.N = l.n
	r.At = time.Since(l.start)
	last := &l.records[len(l.records)-1]
	*last = append(*last, r)
	if l.w != nil && l.err == nil {
		line, err := json.Marshal(r)
		if err == nil {
			_, err = l.w.Write(append(line, '\n'))
		}
		if err != nil {
			l.err = fmt.Errorf("record %d: %w", r.N, err)
		}
	}
	for _, watch := range l.watchers {
		watch(r)
	}
	return r
}

// Watch calls f with every record appended from now on, in order, until the
// returned function is called. f runs while the log is locked: it must be quick
// and must not append.
func (l *Log) Watch(f func(Record)) (stop func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := l.nextID
	l.nextID++
	l.watchers[id] = f
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.watchers, id)
	}
}

// Records returns a copy of what has been appended so far.
func (l *Log) Records() []Record {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Concat(l.records...)
}

// Len is the number of records so far.
func (l *Log) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}

// Err is the first error of the writer, or nil. A history whose log has an
// error is still whole in memory but not on disk.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}
