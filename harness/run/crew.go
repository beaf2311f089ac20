package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/control"
)

// errOver is returned by what comes too late: the run ends.
var errOver = errors.New("the run is over")

// errNobody says that there is no process for a fault to act on.
var errNobody = errors.New("no process of the agent does this work any more")

// crew are the processes of one run: which task each is for, and those that
// are still to come.
type crew struct {
	agent Crew
	plane *control.Plane
	// changed is called when a process has come or gone.
	changed func()
	// failed is told of a process that could not be started.
	failed func(error)

	ctx     context.Context // of starts that are still to come
	cancel  context.CancelFunc
	running sync.WaitGroup // what waits for processes and for their time to come

	mu      sync.Mutex
	over    bool
	count   int
	members []*member
	reserve []*member      // those that were started for no task yet
	coming  map[string]int // task -> processes that are still to be started
}

// member is one process. It can be given work, and be the aim of a fault, before
// the harness knows that it runs.
type member struct {
	id, task string
	started  chan struct{} // closed when process is set, or will not be
	process  Process       // nil: it could not be started
}

func newCrew(a Crew, p *control.Plane, changed func(), failed func(error)) *crew {
	ctx, cancel := context.WithCancel(context.Background())
	return &crew{agent: a, plane: p, changed: changed, failed: failed, ctx: ctx, cancel: cancel, coming: map[string]int{}}
}

// start starts a process for a task, now, and returns its id. A process for no
// task is kept in reserve, see [crew.second].
func (c *crew) start(ctx context.Context, task string) (id string, err error) {
	c.mu.Lock()
	if c.over {
		c.mu.Unlock()
		return "", errOver
	}
	c.count++
	m := &member{id: "p-" + strconv.Itoa(c.count), task: task, started: make(chan struct{})}
	c.members = append(c.members, m)
	c.running.Add(1)
	c.mu.Unlock()

	token := c.plane.Admit(m.id, task)
	p, err := c.agent.Start(ctx, agent.Launch{Process: m.id, Task: task, URL: c.plane.URL(), Token: token})
	if err == nil {
		m.process = p
	}
	close(m.started)
	if err != nil {
		c.running.Done()
		return "", fmt.Errorf("process %s: %w", m.id, err)
	}
	if task == "" {
		c.mu.Lock()
		c.reserve = append(c.reserve, m)
		c.mu.Unlock()
	}
	go func() {
		defer c.running.Done()
		<-p.Exited()
		c.changed()
		<-p.Done()
		c.changed()
	}()
	return m.id, nil
}

// second gives a task to one more process, now, and returns its id: one in
// reserve that lives, else a new one.
func (c *crew) second(ctx context.Context, task string) (id string, err error) {
	if m := c.recall(task); m != nil {
		c.plane.Hand(m.id, task)
		return m.id, nil
	}
	return c.start(ctx, task)
}

// recall takes a process out of the reserve for a task, as the youngest of all.
// Nil: there is none that lives.
func (c *crew) recall(task string) *member {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.reserve) > 0 {
		m := c.reserve[0]
		c.reserve = c.reserve[1:]
		if m.lives() {
			m.task = task
			c.members = append(slices.DeleteFunc(c.members, func(other *member) bool { return other == m }), m)
			return m
		}
	}
	return nil
}

// startLater starts a process for a task after a while, unless the run ends
// before.
func (c *crew) startLater(task string, after time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return
	}
	c.coming[task]++
	c.running.Add(1)
	go func() {
		defer c.running.Done()
		timer := time.NewTimer(after)
		defer timer.Stop()
		var err error
		select {
		case <-timer.C:
			_, err = c.start(c.ctx, task)
		case <-c.ctx.Done():
		}
		c.mu.Lock()
		c.coming[task]--
		c.mu.Unlock()
		if err != nil && c.ctx.Err() == nil {
			c.failed(err)
		}
		c.changed()
	}()
}

// doing is the process that does a piece of work: the one that it was given
// to, or for work "" the youngest of the task that lives. It runs when doing
// returns it.
func (c *crew) doing(ctx context.Context, task, work string) (*member, error) {
	holder := ""
	if work != "" {
		var ok bool
		if holder, _, ok = c.plane.Holder(work); !ok {
			return nil, fmt.Errorf("work %s: %w", work, errNobody)
		}
	}
	all := c.all()
	for i := len(all) - 1; i >= 0; i-- {
		m := all[i]
		if m.id != holder && (holder != "" || m.task != task || !m.lives()) {
			continue
		}
		select {
		case <-m.started:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if m.process != nil {
			return m, nil
		}
	}
	return nil, fmt.Errorf("task %s: %w", task, errNobody)
}

// lives tells whether the process is coming or has not ended.
func (m *member) lives() bool { return !m.has(Process.Exited) }

// gone tells whether nothing of the process is left.
func (m *member) gone() bool { return m.has(Process.Done) }

// has tells whether the process has come to an end of this kind.
func (m *member) has(end func(Process) <-chan struct{}) bool {
	select {
	case <-m.started:
	default:
		return false
	}
	if m.process == nil {
		return true
	}
	select {
	case <-end(m.process):
		return true
	default:
		return false
	}
}

// lives tells whether a process of the task lives or is still to come.
func (c *crew) lives(task string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.coming[task] > 0 {
		return true
	}
	for _, m := range c.members {
		if m.task == task && m.lives() {
			return true
		}
	}
	return false
}

// expects tells whether a process is still to come.
func (c *crew) expects() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.coming {
		if n > 0 {
			return true
		}
	}
	return false
}

// gone tells whether nothing of the agent is left, and nothing to come.
func (c *crew) gone() bool {
	if c.expects() {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.members {
		if !m.gone() {
			return false
		}
	}
	return true
}

// exited is closed when the process has ended. The process was started.
func (c *crew) exited(id string) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.members, func(m *member) bool { return m.id == id })
	return c.members[i].process.Exited()
}

// close lets no process be started any more.
func (c *crew) close() {
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	c.cancel()
}

// leave waits a while for the processes to end by themselves.
func (c *crew) leave(ctx context.Context, grace time.Duration) {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	for _, m := range c.all() {
		<-m.started
		if m.process == nil {
			continue
		}
		select {
		case <-m.process.Exited():
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// stop ends every process and waits until all are gone.
func (c *crew) stop(ctx context.Context, grace time.Duration) {
	c.close()
	var stopping sync.WaitGroup
	for _, m := range c.all() {
		<-m.started // the context of whoever starts it has ended
		if m.process != nil {
			stopping.Go(func() { _ = m.process.Stop(ctx, grace) }) // what Stop leaves, Close ends
		}
	}
	stopping.Wait()
	c.agent.Close()
	c.running.Wait()
}

func (c *crew) all() []*member {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]*member(nil), c.members...)
}
