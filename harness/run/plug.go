package run

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Agent is a way to plug an implementation in: a command, a pool of workers, a
// running service, a Go function. It is used by many runs at once.
type Agent interface {
	// Open makes it ready for one run.
	Open(log *history.Log) (Crew, error)
	// Lacks are the capabilities that no agent can have that is plugged in this way.
	Lacks() []string
}

// Housed is a Crew whose processes see no directory of this machine unless it is
// given to them.
type Housed interface {
	Crew
	// House is told, before the first process is started, of the directory that holds those in which the tasks
	// keep what must survive a kill. Processes find it at the same path.
	House(dir string)
}

// Crew is an agent during one run.
type Crew interface {
	// Start starts a process, or what stands for one, that asks for work at l.URL. ctx bounds the start only.
	Start(ctx context.Context, l agent.Launch) (Process, error)
	// WriteOutput writes what was printed.
	WriteOutput(w io.Writer) error
	// Close ends whatever still runs and waits for it.
	Close()
}

// Process is what one process of the agent can be told.
type Process interface {
	// Exited is closed when it has ended, Done when all that it started has ended too.
	Exited() <-chan struct{}
	Done() <-chan struct{}
	// Kill, Pause and Resume are faults. They record what they do.
	Kill(ctx context.Context) error
	Pause(ctx context.Context) error
	Resume(ctx context.Context) error
	// Stop ends it because the run is over.
	Stop(ctx context.Context, grace time.Duration) error
}

// Command is an agent that is one process a task, started by a command line.
type Command struct {
	_ struct{}

	// Args are the program and its arguments.
	Args []string
	// Dir is its working directory. "": this process's.
	Dir string
	// Env is the environment that its own is made from. Nil: this process's.
	Env []string
}

var _ Agent = Command{}

// Check tells whether the command can be started here, and if not what to do.
func (c Command) Check() error {
	_, err := agent.New(agent.Config{Log: history.NewLog(nil), Command: c.Args})
	return err
}

// Lacks is empty: a process can be killed, paused and started again.
func (c Command) Lacks() []string { return nil }

// Open checks the command.
func (c Command) Open(log *history.Log) (Crew, error) {
	r, err := agent.New(agent.Config{Log: log, Command: c.Args, Dir: c.Dir, Env: c.Env})
	if err != nil {
		return nil, err
	}
	return &commandCrew{runner: r}, nil
}

type commandCrew struct {
	runner *agent.Runner

	mu      sync.Mutex
	outputs outputs
}

func (c *commandCrew) Start(ctx context.Context, l agent.Launch) (Process, error) {
	c.mu.Lock()
	l.Output = c.outputs.of(l.Task)
	c.mu.Unlock()
	p, err := c.runner.Start(ctx, l)
	if err != nil {
		return nil, err
	}
	return p, nil
}

func (c *commandCrew) WriteOutput(w io.Writer) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.outputs.print(w)
}

func (c *commandCrew) Close() { c.runner.Close() }
