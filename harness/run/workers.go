package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// maxAge is how many tasks the pool may take between the start of a worker and
// the task that is its last. It is so small that the ports of all that a worker
// can have been given are still known when it ends, see [maxPorts].
const maxAge = 600

// errClosed says that the agent is used after its end.
var errClosed = errors.New("the pool of workers is closed")

// Workers is an agent that is a pool of warm processes, shared by the scenarios
// of a run. A worker asks for work again after each task, and serves one task
// of one scenario at a time; a kill ends that worker alone, and another takes
// its place.
//
// The first process of a scenario waits for a worker that is free. A scenario
// that needs another one while it runs, after a kill, for a second task, or for
// a redispatch, is never made to wait for other scenarios: if no worker is free,
// one more is started, and one that is free later is let go. A worker that has
// not come back when its scenario ends is ended, as a process a task would be.
type Workers struct {
	command Command
	size    int
	ports   ports

	mu      sync.Mutex
	closed  bool
	live    int       // workers that run, and places that may start one
	idle    []*worker // the one that has been free longest first
	all     map[*worker]struct{}
	waiting []chan *place
	taken   int // tasks so far
	count   int // workers so far
	marks   int
	running sync.WaitGroup
}

var _ Lasting = (*Workers)(nil)

// NewWorkers makes a pool of n workers, which are started when there is work
// for them. The caller closes it.
func NewWorkers(c Command, n int) (*Workers, error) {
	if n < 1 {
		return nil, fmt.Errorf("run: %d workers: want at least 1", n)
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	return &Workers{command: c, size: n, all: map[*worker]struct{}{}}, nil
}

// Lacks is empty: a worker can be killed, paused and started again.
func (p *Workers) Lacks() []string { return nil }

// Open is an error: a run needs a place.
func (p *Workers) Open(*history.Log) (Crew, error) {
	return nil, errors.New("run: workers are shared by runs: reserve a place")
}

// Size is how many workers there are while nothing more is needed.
func (p *Workers) Size() int { return p.size }

// Queue asks for a worker that is free or may be started.
func (p *Workers) Queue() Ticket {
	p.mu.Lock()
	defer p.mu.Unlock()
	granted := make(chan *place, 1)
	if p.closed {
		close(granted)
	} else {
		p.waiting = append(p.waiting, granted)
		p.grant()
	}
	return func(ctx context.Context) (Place, error) { return p.await(ctx, granted) }
}

func (p *Workers) await(ctx context.Context, granted chan *place) (Place, error) {
	select {
	case pl, ok := <-granted:
		if !ok {
			return nil, errClosed
		}
		return pl, nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	i := slices.Index(p.waiting, granted)
	if i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
	}
	p.mu.Unlock()
	if i < 0 {
		if pl, ok := <-granted; ok {
			pl.Release()
		}
	}
	return nil, ctx.Err()
}

// grant gives places to those who wait. The caller holds mu.
func (p *Workers) grant() {
	for len(p.waiting) > 0 && !p.closed {
		k, ok := p.pick()
		if !ok {
			return
		}
		p.marks++
		p.waiting[0] <- &place{pool: p, worker: k, mark: strconv.Itoa(p.marks)}
		p.waiting = p.waiting[1:]
	}
}

// pick takes the worker that was free last, whose memory is the warmest; nil
// if one is to be started for what there is room. The caller holds mu.
func (p *Workers) pick() (k *worker, ok bool) {
	if n := len(p.idle); n > 0 {
		k = p.idle[n-1]
		p.idle = p.idle[:n-1]
		return k, true
	}
	if p.live >= p.size {
		return nil, false
	}
	p.live++
	return nil, true
}

// another takes a worker for a scenario that runs already: one that is free, or
// nil if one more is to be started.
func (p *Workers) another() *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	k, ok := p.pick()
	if !ok {
		p.live++
	}
	return k
}

// free takes a worker back that has asked for work and has none.
func (p *Workers) free(k *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.live > p.size || p.aged(k) {
		k.retire()
		return
	}
	for len(p.idle) > 0 && p.aged(p.idle[0]) {
		p.idle[0].retire()
		p.idle = p.idle[1:]
	}
	p.idle = append(p.idle, k)
	p.grant()
}

func (p *Workers) aged(k *worker) bool { return p.taken-k.born >= maxAge }

// gone strikes a worker off.
func (p *Workers) gone(k *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, k)
	p.idle = slices.DeleteFunc(p.idle, func(other *worker) bool { return other == k })
	p.live--
	p.grant()
}

// unused gives back the room for a worker that was not started.
func (p *Workers) unused() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live--
	p.grant()
}

// took counts a task.
func (p *Workers) took() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken++
}

// Close ends every worker and waits for it. Nothing can be reserved after it.
func (p *Workers) Close() {
	p.mu.Lock()
	p.closed = true
	for _, w := range p.waiting {
		close(w)
	}
	p.waiting = nil
	for k := range p.all {
		k.retire()
	}
	p.mu.Unlock()
	p.running.Wait()
}

// place is one run's share of the pool.
type place struct {
	pool   *Workers
	worker *worker // that is to be used first; nil: one is to be started
	mark   string
	used   bool
}

var _ Place = (*place)(nil)

func (pl *place) Lacks() []string                   { return pl.pool.Lacks() }
func (pl *place) Mark() string                      { return pl.mark }
func (pl *place) Given(endpoints map[string]string) { pl.pool.ports.given(endpoints) }
func (pl *place) Known(port int) bool               { return pl.pool.ports.has(port) }

// Open is called once.
func (pl *place) Open(log *history.Log) (Crew, error) {
	return &workerCrew{place: pl, log: log}, nil
}

// first is the worker that the place holds, nil if one is to be started; ok is
// false if that was asked before.
func (pl *place) first() (k *worker, ok bool) {
	if pl.used {
		return nil, false
	}
	pl.used = true
	return pl.worker, true
}

// Release gives back what was not used.
func (pl *place) Release() {
	k, ok := pl.first()
	switch {
	case !ok:
	case k == nil:
		pl.pool.unused()
	default:
		pl.pool.free(k)
	}
}
