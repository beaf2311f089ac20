package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"github.com/lostreceipt/lostreceipt/harness/agent/supervisor"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// DefaultOutput is how many bytes are kept of the beginning of a task's
// output, and as many of its end.
const DefaultOutput = 256 << 10

// Config says what is started. Log and Command are required.
type Config struct {
	_ struct{}

	// Log takes process.started, killed, paused, resumed and exited.
	Log *history.Log
	// Command is the agent's program and its arguments. A program without a slash is looked up in PATH; one with a
	// slash is relative to the harness's working directory.
	Command []string
	// Dir is the agent's working directory. "": the harness's.
	Dir string
	// Env is the environment that the agent's is made from, minus every LOSTRECEIPT_*. Nil: the harness's own.
	Env []string
	// Output bounds what is kept of a task's output: so many bytes of its beginning and as many of its end.
	// 0: [DefaultOutput].
	Output int
	// Supervisor is the command of the supervisor. Nil: this program, see package supervisor.
	Supervisor []string
}

var (
	// ErrEnded is wrapped when a process that has ended is signalled.
	ErrEnded = errors.New("the process has ended")
	// ErrClosed is wrapped when a process is started after [Runner.Close].
	ErrClosed = errors.New("the runner is closed")
)

// Runner starts processes and owns them until they are gone. Its methods are
// safe for concurrent use.
type Runner struct {
	cfg  Config
	path string

	mu        sync.Mutex
	closed    bool
	processes map[string]*Process
	started   []*Process
	outputs   map[string]*Output
}

// New checks that the command can be started.
func New(cfg Config) (*Runner, error) {
	if cfg.Log == nil {
		return nil, errors.New("agent: no log")
	}
	path, err := findProgram(cfg.Command)
	if err != nil {
		return nil, err
	}
	if cfg.Env == nil {
		cfg.Env = os.Environ()
	}
	if cfg.Supervisor == nil {
		self, err := ownProgram()
		if err != nil {
			return nil, fmt.Errorf("agent: finding this program, to supervise with it: %w", err)
		}
		cfg.Supervisor = []string{self, supervisor.Arg}
	}
	return &Runner{cfg: cfg, path: path, processes: map[string]*Process{}, outputs: map[string]*Output{}}, nil
}

// ownProgram is this program's path. On Linux it stays right when the file is
// replaced or removed, as `go run` and package managers do.
func ownProgram() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}

// Start starts a process. It returns when the program runs, or why it does
// not. ctx bounds the start only. process.started is recorded before the
// program runs; if it cannot run, process.exited follows with the reason.
func (r *Runner) Start(ctx context.Context, l Launch) (*Process, error) {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return nil, fmt.Errorf("agent: process %s: %w", l.Process, ErrClosed)
	}
	if r.processes[l.Process] != nil || l.Process == "" {
		r.mu.Unlock()
		return nil, fmt.Errorf("agent: process %q: ids must be given and differ", l.Process)
	}
	if l.Record == nil {
		l.Record = func(rec history.Record) { r.cfg.Log.Append(rec) }
	}
	if l.Output == nil {
		l.Output = r.outputLocked(l.Task)
	}
	p := newProcess(l)
	r.processes[l.Process] = p
	r.started = append(r.started, p)
	r.mu.Unlock()

	what := supervisor.Spec{Path: r.path, Args: r.cfg.Command, Dir: r.cfg.Dir, Env: environment(r.cfg.Env, l, p.mark)}
	if err := p.start(ctx, r.cfg.Supervisor, what); err != nil {
		return nil, fmt.Errorf("agent: starting %q: %w", r.cfg.Command[0], err)
	}
	return p, nil
}

// Process finds a process by its id, ended or not.
func (r *Runner) Process(id string) (*Process, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p, ok := r.processes[id]
	return p, ok
}

// Of are the processes that were started for a task, in the order of their
// start, ended or not.
func (r *Runner) Of(task string) []*Process {
	r.mu.Lock()
	defer r.mu.Unlock()
	var of []*Process
	for _, p := range r.started {
		if p.launch.Task == task {
			of = append(of, p)
		}
	}
	return of
}

// Close kills every process that still runs and waits until all are gone. No
// process can be started after it.
func (r *Runner) Close() {
	r.mu.Lock()
	r.closed = true
	started := append([]*Process(nil), r.started...)
	r.mu.Unlock()
	for _, p := range started {
		p.end(Stopped)
	}
	var gone sync.WaitGroup
	for _, p := range started {
		gone.Go(p.awaitGone)
	}
	gone.Wait()
}

// WriteOutput writes what is kept of a task's output: lines prefixed with the
// process that printed them, and a line that says how many bytes are missing
// between beginning and end.
func (r *Runner) WriteOutput(task string, w io.Writer) error {
	r.mu.Lock()
	o := r.outputLocked(task)
	r.mu.Unlock()
	if err := o.Print(w); err != nil {
		return fmt.Errorf("agent: output of task %s: %w", task, err)
	}
	return nil
}

func (r *Runner) outputLocked(task string) *Output {
	if r.outputs[task] == nil {
		r.outputs[task] = NewOutput(r.cfg.Output)
	}
	return r.outputs[task]
}
