package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/control"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// workerCrew are the workers of one run.
type workerCrew struct {
	place *place
	log   *history.Log
	plane *control.Plane
	stay  bool

	mu      sync.Mutex
	closed  bool
	outputs outputs
	seats   []*seat
}

var _ Joined = (*workerCrew)(nil)

func (c *workerCrew) Join(plane *control.Plane, stay bool) { c.plane, c.stay = plane, stay }

// Start gives the task to a worker that is free, or starts one.
func (c *workerCrew) Start(ctx context.Context, l agent.Launch) (Process, error) {
	s := &seat{
		id: l.Process, task: l.Task, log: c.log,
		taken: make(chan struct{}), exited: make(chan struct{}), done: make(chan struct{}),
	}
	defer close(s.taken)
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil, agent.ErrClosed
	}
	out := c.outputs.of(l.Task)
	c.seats = append(c.seats, s)
	k, ok := c.place.first()
	c.mu.Unlock()
	for pool := c.place.pool; ; {
		if !ok {
			k = pool.another()
		}
		if k == nil {
			if err := pool.hire(ctx, s, out, c.plane, l, c.stay); err != nil {
				return nil, err
			}
			return s, nil
		}
		if k.take(s, out, c.plane, l.Token, c.stay) {
			return s, nil
		}
		ok = false
	}
}

func (c *workerCrew) WriteOutput(w io.Writer) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.outputs.print(w)
}

// Close ends the workers that have not come back, and waits for them.
func (c *workerCrew) Close() {
	c.mu.Lock()
	c.closed = true
	seats := c.seats
	c.mu.Unlock()
	var stopping sync.WaitGroup
	for _, s := range seats {
		stopping.Go(func() { _ = s.Stop(context.Background(), 0) })
	}
	stopping.Wait()
}

// seat is a worker's part in one run: the process that the run sees.
type seat struct {
	id, task string
	log      *history.Log
	worker   *worker       // who has it; nil: nobody could be started
	taken    chan struct{} // closed when worker is set

	leaving, ending sync.Once
	exited          chan struct{} // the worker has ended, or gone on
	done            chan struct{} // it has ended, or gone on and this run is over
}

func (s *seat) leave()                  { s.leaving.Do(func() { close(s.exited) }) }
func (s *seat) end()                    { s.leave(); s.ending.Do(func() { close(s.done) }) }
func (s *seat) Exited() <-chan struct{} { return s.exited }
func (s *seat) Done() <-chan struct{}   { return s.done }

// order carries out a fault. A worker that has gone on is another run's.
func (s *seat) order(do func(*agent.Process) error) error {
	if !s.worker.has(s) {
		return fmt.Errorf("process %s: it has gone on to another scenario: %w", s.id, agent.ErrEnded)
	}
	return do(s.worker.process)
}

func (s *seat) Kill(ctx context.Context) error {
	return s.order(func(p *agent.Process) error { return p.Kill(ctx) })
}

func (s *seat) Pause(ctx context.Context) error {
	return s.order(func(p *agent.Process) error { return p.Pause(ctx) })
}

func (s *seat) Resume(ctx context.Context) error {
	return s.order(func(p *agent.Process) error { return p.Resume(ctx) })
}

// Stop ends the worker if it has not gone on.
func (s *seat) Stop(ctx context.Context, grace time.Duration) error {
	<-s.taken
	if s.worker == nil || !s.worker.doom(s) || s.worker.process == nil {
		s.end()
		return nil
	}
	return s.worker.process.Stop(ctx, grace)
}

// outputs are the outputs of a run's tasks, in the order of their first process.
type outputs struct {
	tasks []string
	kept  map[string]*agent.Output
}

func (o *outputs) of(task string) *agent.Output {
	if o.kept == nil {
		o.kept = map[string]*agent.Output{}
	}
	if o.kept[task] == nil {
		o.tasks = append(o.tasks, task)
		o.kept[task] = agent.NewOutput(0)
	}
	return o.kept[task]
}

func (o *outputs) print(w io.Writer) error {
	var errs []error
	for _, task := range o.tasks {
		if len(o.tasks) > 1 {
			title := "task " + task
			if task == "" {
				title = "started in reserve, before it had a task"
			}
			_, err := fmt.Fprintf(w, "--- %s\n", title)
			errs = append(errs, err)
		}
		errs = append(errs, o.kept[task].Print(w))
	}
	return errors.Join(errs...)
}
