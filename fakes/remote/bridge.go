package remote

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// bridge is what a seat has in place of a history and a seam: it keeps what is
// said until the harness has it, and lets those who ask wait for the answer.
type bridge struct {
	mu      sync.Mutex
	changed *sync.Cond
	closed  bool
	durable bool      // rows are held back until they are kept
	queue   []Message // what has not arrived
	last    int       // number of the last message
	arrived int       // number of the last one that has arrived
	kept    int       // messages up to this number may go; -1: all
	rows    []history.Record
	pending map[int]*question
	woken   chan struct{} // closed when there is something to send
}

var _ fault.Seam = (*bridge)(nil)

// question is a message that waits for an answer, or for the end of what the
// answer asked for.
type question struct {
	answered    chan Answer // nil: it was answered
	wait, later chan struct{}
}

func newBridge(durable bool) *bridge {
	b := &bridge{durable: durable, kept: -1, pending: map[int]*question{}, woken: make(chan struct{})}
	b.changed = sync.NewCond(&b.mu)
	return b
}

// say queues a message. The caller holds mu.
func (b *bridge) say(m Message) int {
	b.last++
	m.N = b.last
	b.queue = append(b.queue, m)
	b.wake()
	return m.N
}

func (b *bridge) wake() {
	if len(b.sendable()) > 0 {
		select {
		case <-b.woken:
		default:
			close(b.woken)
		}
	}
}

// sendable are the messages that may go: a row of the ledger, and what comes
// after it, only once it is kept.
func (b *bridge) sendable() []Message {
	if b.kept < 0 {
		return b.queue
	}
	for i, m := range b.queue {
		if m.N > b.kept {
			return b.queue[:i]
		}
	}
	return b.queue
}

func (b *bridge) tell(m Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.say(m)
	}
}

// note takes a record of the seat. It is called in the order of the records.
func (b *bridge) note(r history.Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	m := Message{Record: &r}
	if r.Kind == history.LedgerRow {
		b.rows = append(b.rows, r)
		m.Row = len(b.rows)
		if b.durable && b.kept < 0 {
			b.kept = b.last // not this one
		}
	}
	b.say(m)
}

// rowsSoFar are the rows that a saved ledger belongs to.
func (b *bridge) rowsSoFar() []history.Record {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]history.Record(nil), b.rows...)
}

// saved lets go what was held back.
func (b *bridge) saved() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kept = -1
	b.wake()
}

// restored are the rows of an earlier process.
func (b *bridge) restored(rows []history.Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rows = rows
	for i, r := range rows {
		b.say(Message{Record: &r, Row: i + 1})
	}
}

// ask waits for the answer to a message. false: the bridge was closed.
func (b *bridge) ask(m Message) (Answer, *question, bool) {
	q := &question{answered: make(chan Answer, 1), wait: make(chan struct{}), later: make(chan struct{})}
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return Answer{}, nil, false
	}
	n := b.say(m)
	b.pending[n] = q
	answered := q.answered
	b.mu.Unlock()
	a, ok := <-answered
	return a, q, ok
}

// At asks the harness.
func (b *bridge) At(_ context.Context, p fault.Point) fault.Order {
	a, q, ok := b.ask(Message{Point: &p})
	if !ok || a.Order == nil {
		return fault.Order{}
	}
	order := fault.Order{Conduct: a.Order.Conduct}
	if a.Order.Wait {
		order.Wait = q.wait
	}
	if a.Order.Later {
		order.Later = q.later
	}
	return order
}

// identify asks the harness which call a request is.
func (b *bridge) identify(peer string, seq int) (fault.Ref, bool) {
	a, _, ok := b.ask(Message{Peer: &Peer{Addr: peer, Seq: seq}})
	if !ok || a.Ref == nil {
		return fault.Ref{}, false
	}
	return *a.Ref, true
}

// settle waits until everything said so far has arrived.
func (b *bridge) settle() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for upTo := b.last; b.arrived < upTo && !b.closed; {
		b.changed.Wait()
	}
}

func (b *bridge) quiet(is bool) { b.tell(Message{Quiet: &is}) }

// exchange takes what the harness says, and returns what it does not have.
func (b *bridge) exchange(ctx context.Context, x Exchange) []Message {
	b.mu.Lock()
	b.arrive(x.After)
	for _, a := range x.Answers {
		if q := b.pending[a.N]; q != nil && q.answered != nil {
			q.answered <- a
			close(q.answered)
			q.answered = nil
			if a.Order == nil || !a.Order.Wait && !a.Order.Later {
				delete(b.pending, a.N)
			}
		}
	}
	b.mu.Unlock()
	b.release(x.Releases)
	ctx, cancel := context.WithTimeout(ctx, time.Duration(x.WaitMS)*time.Millisecond)
	defer cancel()
	for {
		b.mu.Lock()
		if ready := b.sendable(); len(ready) > 0 || b.closed {
			defer b.mu.Unlock()
			return append([]Message{}, ready...)
		}
		if closed(b.woken) {
			b.woken = make(chan struct{})
		}
		woken := b.woken
		b.mu.Unlock()
		select {
		case <-woken:
		case <-ctx.Done():
			return []Message{}
		}
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// arrive forgets the messages that have arrived. The caller holds mu.
func (b *bridge) arrive(upTo int) {
	if upTo <= b.arrived || upTo > b.last {
		return
	}
	b.arrived = upTo
	for len(b.queue) > 0 && b.queue[0].N <= upTo {
		b.queue = b.queue[1:]
	}
	b.changed.Broadcast()
}

// release ends waits.
func (b *bridge) release(all []Release) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range all {
		q := b.pending[r.N]
		if q == nil {
			continue
		}
		over := q.wait
		if r.Later {
			over = q.later
		}
		if !closed(over) {
			close(over)
		}
	}
}

// end tells the last thing that there is to tell.
func (b *bridge) end(ledger json.RawMessage) { b.tell(Message{Ledger: ledger}) }

// close lets everybody go who waits.
func (b *bridge) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.closed = true
	for _, q := range b.pending {
		if q.answered != nil {
			close(q.answered)
			q.answered = nil
		}
		for _, c := range []chan struct{}{q.wait, q.later} {
			if !closed(c) {
				close(c)
			}
		}
	}
	b.changed.Broadcast()
	if !closed(b.woken) {
		close(b.woken)
	}
}
