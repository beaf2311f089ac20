package image

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/stack/container"
)

// patience bounds everything that is asked of the engine.
const patience = 20 * time.Second

// Agent is an image, see [New].
type Agent struct {
	engine *container.Engine
	image  string
	args   []string
}

var (
	_ run.Agent  = (*Agent)(nil)
	_ run.Housed = (*crew)(nil)
)

// New makes an agent of an image that is on the engine; args stand in place of
// the command that it names itself.
func New(ctx context.Context, e *container.Engine, name string, args []string) (*Agent, error) {
	found, err := e.Image(ctx, name)
	if err != nil {
		return nil, err
	}
	return &Agent{engine: e, image: found, args: args}, nil
}

// Lacks is empty: a container can be killed, paused and started again.
func (a *Agent) Lacks() []string { return nil }

// Open makes ready for one run.
func (a *Agent) Open(log *history.Log) (run.Crew, error) {
	return &crew{agent: a, log: log, outputs: map[string]*agent.Output{}}, nil
}

// crew are the containers of one run.
type crew struct {
	agent *Agent
	log   *history.Log

	home string // holds the directories of all tasks

	mu        sync.Mutex
	closed    bool
	outputs   map[string]*agent.Output
	tasks     []string
	processes []*process
}

// Start starts a container for a task.
func (c *crew) Start(ctx context.Context, l agent.Launch) (run.Process, error) {
	// A start that is broken off half-way would leave the engine in between.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	e := c.agent.engine
	box, err := e.Box(ctx, "agent", container.Spec{
		Image: c.agent.image, Args: c.agent.args, Dir: c.home,
		Env: append([]string{
			"LOSTRECEIPT_URL=" + l.URL, "LOSTRECEIPT_TOKEN=" + l.Token, "NO_PROXY=" + e.Host(), "no_proxy=" + e.Host(),
		}, l.Env...),
	})
	if err != nil {
		return nil, fmt.Errorf("making a container of %s: %w", c.agent.image, err)
	}
	p := &process{box: box, id: l.Process, task: l.Task, log: c.log, exited: make(chan struct{}), done: make(chan struct{})}
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil, errors.Join(agent.ErrClosed, box.Remove(ctx))
	}
	if c.outputs[l.Task] == nil {
		c.outputs[l.Task] = agent.NewOutput(0)
		c.tasks = append(c.tasks, l.Task)
	}
	p.output = c.outputs[l.Task]
	c.processes = append(c.processes, p)
	c.mu.Unlock()
	if err := p.start(ctx); err != nil {
		return nil, fmt.Errorf("starting a container of %s: %w", c.agent.image, err)
	}
	return p, nil
}

// House is the directory that each container finds at the same path.
func (c *crew) House(dir string) { c.home = dir }

// WriteOutput writes what was printed.
func (c *crew) WriteOutput(w io.Writer) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, task := range c.tasks {
		if len(c.tasks) > 1 {
			_, err := fmt.Fprintf(w, "--- task %s\n", task)
			errs = append(errs, err)
		}
		errs = append(errs, c.outputs[task].Print(w))
	}
	return errors.Join(errs...)
}

// Close ends whatever still runs.
func (c *crew) Close() {
	c.mu.Lock()
	c.closed = true
	processes := c.processes
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var ending sync.WaitGroup
	for _, p := range processes {
		ending.Go(func() { _ = p.Stop(ctx, 0) }) // what it leaves goes with the engine
	}
	ending.Wait()
}
