package run

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/control"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// worker is one process of a pool, and the control plane as it sees it.
type worker struct {
	pool    *Workers
	name    string
	born    int // how many tasks the pool had taken when it was started
	front   *control.Front
	started chan struct{} // closed when process is set, or never will be
	process *agent.Process
	leaving chan struct{} // closed when it is to end by itself
	once    sync.Once

	mu     sync.Mutex
	seat   *seat // what it works on; nil: nothing
	doomed bool  // it is being ended
	exited bool
}

// hire starts a worker for a seat. The pool has room for it; if it cannot be
// started, that room is given back.
func (p *Workers) hire(ctx context.Context, s *seat, out *agent.Output, plane *control.Plane, l agent.Launch, stay bool) error {
	k := &worker{pool: p, seat: s, started: make(chan struct{}), leaving: make(chan struct{})}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		p.unused()
		return errClosed
	}
	p.count++
	p.taken++
	k.name, k.born = fmt.Sprintf("worker-%d", p.count), p.taken
	p.all[k] = struct{}{}
	p.running.Add(1)
	p.mu.Unlock()
	s.worker = k
	err := k.start(ctx, out, plane, l, stay)
	if err != nil {
		k.end()
		p.gone(k)
		p.running.Done()
		return err
	}
	go func() {
		defer p.running.Done()
		k.follow()
		k.end()
		p.gone(k)
	}()
	return nil
}

func (k *worker) start(ctx context.Context, out *agent.Output, plane *control.Plane, l agent.Launch, stay bool) (err error) {
	defer close(k.started)
	k.front, err = control.NewFront(control.FrontConfig{Free: k.free, Flooded: k.dismiss})
	if err != nil {
		return err
	}
	k.front.Assign(plane, l.Token, stay)
	c := k.pool.command
	runner, err := agent.New(agent.Config{Log: history.NewLog(nil), Command: c.Args, Dir: c.Dir, Env: c.Env})
	if err != nil {
		return err
	}
	l.URL, l.Token, l.Record, l.Output = k.front.URL(), k.front.Token(), k.record, out
	k.process, err = runner.Start(ctx, l)
	return err
}

// follow waits for the end of the process.
func (k *worker) follow() {
	select {
	case <-k.process.Exited():
	case <-k.leaving:
		k.front.Retire()
		timer := time.NewTimer(grace)
		select {
		case <-k.process.Exited():
		case <-timer.C:
			_ = k.process.Stop(context.Background(), grace) // it returns when all is gone
		}
		timer.Stop()
	}
	k.mu.Lock()
	k.exited = true
	s := k.seat
	k.mu.Unlock()
	if s != nil {
		s.leave()
	}
	<-k.process.Done()
	if s != nil {
		s.end()
	}
}

// end closes what the worker had beside its process.
func (k *worker) end() {
	if k.front != nil {
		_ = k.front.Close() // a listener that cannot be closed is closed
	}
}

// record passes a record about the process on to the run that it works for.
func (k *worker) record(r history.Record) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r.Kind == history.ProcessExited {
		k.exited = true
	}
	if k.seat == nil {
		return
	}
	about := *r.Process
	about.ID, about.Worker = k.seat.id, k.name
	r.Task, r.Process = k.seat.task, &about
	k.seat.log.Append(r)
}

// take gives a free worker something to do. It is false if the worker has ended.
func (k *worker) take(s *seat, out *agent.Output, plane *control.Plane, token string, stay bool) bool {
	<-k.started
	k.process.Turn(s.id, out)
	k.mu.Lock()
	if k.exited || k.doomed {
		k.mu.Unlock()
		return false
	}
	k.seat, s.worker = s, k
	s.log.Append(history.Record{Kind: history.ProcessStarted, Task: s.task, Process: &history.Process{ID: s.id, Worker: k.name}})
	k.mu.Unlock()
	k.pool.took()
	k.front.Assign(plane, token, stay)
	return true
}

// free is called when the worker asks for work and has none.
func (k *worker) free() {
	k.mu.Lock()
	s, doomed := k.seat, k.doomed
	if !doomed {
		k.seat = nil
	}
	k.mu.Unlock()
	if doomed {
		return
	}
	if s != nil {
		s.leave()
	}
	k.pool.free(k)
}

// retire lets a worker that is free end by itself, and ends it if it does not.
func (k *worker) retire() { k.once.Do(func() { close(k.leaving) }) }

// dismiss ends a worker that floods its control plane while it works for nobody.
func (k *worker) dismiss() {
	k.mu.Lock()
	idle := k.seat == nil
	k.doomed = k.doomed || idle
	k.mu.Unlock()
	if idle {
		k.retire()
	}
}

// doom keeps the worker from being given anything else, if it still has this
// seat.
func (k *worker) doom(s *seat) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seat != s {
		return false
	}
	k.doomed = true
	return true
}

// has tells whether the worker works for this seat.
func (k *worker) has(s *seat) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.seat == s
}
