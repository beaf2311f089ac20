package agent

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// DefaultOutput is how many bytes are kept of the beginning of a task's output, and as many of its end.
const DefaultOutput = 256 << 10

// Config says what is started. Log and Command are required.
type Config struct {
	_ struct{}

	// Log takes process.started, killed, paused, resumed and exited.
	Log *history.Log
	// Command is the agent's program and its arguments. A program without a slash is looked up in PATH; one with a slash is
	// relative to the harness's working directory.
	Command []string
	// Dir is the agent's working directory. "": the harness's.
	Dir string
	// Env is the environment that the agent's is made from, minus every LOSTRECEIPT_*. Nil: the harness's own.
	Env []string
	// Output bounds what is kept of a task's output: so many bytes of its beginning and as many of its end. 0: [DefaultOutput].
	Output int
	// Supervisor is the command that calls [Supervise]. Nil: this program with [SuperviseArg].
	Supervisor []string
}

// Launch is one process to start.
type Launch struct {
	_ struct{}

	Process string // its id in the history: p-1, p-2, ...
	Task    string // whose output it adds to
	URL     string // LOSTRECEIPT_URL
	Token   string // LOSTRECEIPT_TOKEN
	Env     []string
}

// Exit is how a process ended.
type Exit struct {
	_ struct{}

	Code   int    // -1 when a signal ended it
	Signal string // SIGKILL, ...
	Reason string // what the harness did to it, or why the end is not known
}

// ErrEnded is wrapped when a process that has ended is signalled.
var ErrEnded = errors.New("the process has ended")

// Runner starts processes and owns them until they are gone. Its methods are safe for concurrent use.
type Runner struct{}

// New checks that the command can be started.
func New(cfg Config) (*Runner, error) { panic("soon") }

// Start starts a process. It returns when the program runs, or why it does not. ctx bounds the start only.
func (r *Runner) Start(ctx context.Context, l Launch) (*Process, error) { panic("soon") }

// Process finds a process by its id, ended or not.
func (r *Runner) Process(id string) (*Process, bool) { panic("soon") }

// Of are the processes that were started for a task, in the order of their start.
func (r *Runner) Of(task string) []*Process { panic("soon") }

// Close kills every process that still runs and waits until all are gone. No process can be started after it.
func (r *Runner) Close() { panic("soon") }

// WriteOutput writes what is kept of a task's output: lines prefixed with the process that printed them, and a line that says
// how many bytes are missing between beginning and end.
func (r *Runner) WriteOutput(task string, w io.Writer) error { panic("soon") }

// Process is one process of the agent, with everything that it started.
type Process struct{}

// ID is its id in the history.
func (p *Process) ID() string { panic("soon") }

// Task is the task that it was started for.
func (p *Process) Task() string { panic("soon") }

// Exited is closed when the process itself has ended.
func (p *Process) Exited() <-chan struct{} { panic("soon") }

// Done is closed when the process and everything that it started are gone, and what they printed is kept.
func (p *Process) Done() <-chan struct{} { panic("soon") }

// Exit is how it ended; the zero value before [Process.Exited] is closed.
func (p *Process) Exit() Exit { panic("soon") }

// Kill is the fault: it records process.killed, sends SIGKILL to the process and its children, and waits until all are gone.
func (p *Process) Kill(ctx context.Context) error { panic("soon") }

// Pause stops the process and its children (SIGSTOP). It returns when they stand still.
func (p *Process) Pause(ctx context.Context) error { panic("soon") }

// Resume lets them go on (SIGCONT).
func (p *Process) Resume(ctx context.Context) error { panic("soon") }

// Stop asks the process to end (SIGTERM), kills it and its children after grace, and waits until all are gone.
func (p *Process) Stop(ctx context.Context, grace time.Duration) error { panic("soon") }

// SuperviseArg is the first argument that makes a program call [Supervise].
const SuperviseArg = "__supervise"

// Supervise is the supervisor's main function. It returns the exit status.
func Supervise(args []string) int { panic("soon") }

// SuperviseIfAsked runs the supervisor and exits if this program was started as one. Call it first in main and TestMain.
func SuperviseIfAsked() { panic("soon") }
