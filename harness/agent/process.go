package agent

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lostreceipt/lostreceipt/harness/agent/supervisor"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// patience is how long a supervisor may take to end what it was told to kill
// before the runner does it without it. It is never waited for otherwise.
const patience = 10 * time.Second

// Stopped is the reason of a process that the harness ended because the run
// was over, by whatever signal it took: such an end is nobody's fault.
const Stopped = "stopped"

// Exit is how a process ended.
type Exit struct {
	_ struct{}

	Code   int    // -1 when a signal ended it
	Signal string // SIGKILL, ...
	Reason string // what the harness did to it, or why it is not known how it ended
}

// Process is one process of the agent, with everything that it started. Its
// methods are safe for concurrent use.
type Process struct {
	launch Launch
	mark   string

	exited chan struct{}
	done   chan struct{}

	mu         sync.Mutex
	supervisor *exec.Cmd // nil until it runs
	orders     *orderPipe
	group      int  // of the agent, 0 until it runs
	committed  bool // the order to start was given, and process.started recorded
	doomed     bool // it is to end before that
	hasExited  bool
	exit       Exit
	reason     string          // what the harness did last
	answers    []chan<- string // of those who wait for stopped or moving

	printing sync.Mutex // held while something that it printed is taken
	printer  string     // the id under which it prints
	out      *Output
	text     *os.File // the read end of its output
}

func newProcess(l Launch) *Process {
	return &Process{
		launch: l, printer: l.Process, out: l.Output, mark: marking + "=" + rand.Text(),
		exited: make(chan struct{}), done: make(chan struct{}),
	}
}

// ID is its id in the history.
func (p *Process) ID() string { return p.launch.Process }

// Task is the task that it was started for.
func (p *Process) Task() string { return p.launch.Task }

// Exited is closed when the process itself has ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Done is closed when the process and everything that it started are gone, and
// what they printed is kept.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit is how it ended; the zero value before [Process.Exited] is closed.
func (p *Process) Exit() Exit {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exit
}

// Kill is the fault: it records process.killed, sends SIGKILL to the process
// and its children, and waits until all are gone.
func (p *Process) Kill(ctx context.Context) error {
	if err := p.order(history.ProcessKilled, supervisor.Kill, "SIGKILL as a fault", nil); err != nil {
		return err
	}
	return p.await(ctx, p.kill)
}

// Pause stops the process and its children (SIGSTOP), records process.paused,
// and returns when the process stands still.
func (p *Process) Pause(ctx context.Context) error {
	return p.change(ctx, history.ProcessPaused, supervisor.Stop, supervisor.Stopped)
}

// Resume lets them go on (SIGCONT) and records process.resumed.
func (p *Process) Resume(ctx context.Context) error {
	return p.change(ctx, history.ProcessResumed, supervisor.Cont, supervisor.Moving)
}

// Stop asks the process to end (SIGTERM), kills it and its children after
// grace, and waits until all are gone. If it has ended, Stop only waits.
func (p *Process) Stop(ctx context.Context, grace time.Duration) error {
	if p.order("", supervisor.Term, Stopped, nil) == nil {
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-p.exited:
		case <-timer.C:
			p.end(Stopped)
		case <-ctx.Done():
			p.end(Stopped)
		}
	}
	return p.await(ctx, p.kill)
}

// end sends SIGKILL without making it a fault.
func (p *Process) end(reason string) { _ = p.order("", supervisor.Kill, reason, nil) }

// order records, then gives the supervisor an order. The record stands first
// because everything that the signal causes must stand after it.
func (p *Process) order(kind history.Kind, order, reason string, answer chan<- string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hasExited {
		return fmt.Errorf("agent: process %s: %w", p.launch.Process, ErrEnded)
	}
	if !p.committed { // start will see it
		p.doomed = true
		return nil
	}
	if answer != nil {
		p.answers = append(p.answers, answer)
	}
	if kind != "" {
		p.launch.Record(history.Record{Kind: kind, Task: p.launch.Task, Process: &history.Process{ID: p.launch.Process, Reason: reason}})
	}
	if reason != "" {
		p.reason = reason
	}
	p.orders.give(order)
	return nil
}

// change gives an order and waits for the report that it is carried out.
func (p *Process) change(ctx context.Context, kind history.Kind, order, want string) error {
	answers := make(chan string, 8)
	if err := p.order(kind, order, "", answers); err != nil {
		return err
	}
	defer p.forget(answers)
	for {
		select {
		case got := <-answers:
			if got == want {
				return nil
			}
		case <-p.exited:
			return fmt.Errorf("agent: process %s: %w before the order %q was carried out", p.launch.Process, ErrEnded, order)
		case <-ctx.Done():
			return fmt.Errorf("agent: process %s: waiting for the report %q: %w", p.launch.Process, want, ctx.Err())
		}
	}
}

func (p *Process) forget(answers chan<- string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, a := range p.answers {
		if a == answers {
			p.answers = append(p.answers[:i], p.answers[i+1:]...)
			return
		}
	}
}

// awaitGone waits until a process that was told to end is gone.
func (p *Process) awaitGone() { _ = p.await(context.Background(), p.kill) }

// await waits until the process is gone. If its supervisor does not bring that
// about in time, last is called, once.
func (p *Process) await(ctx context.Context, last func()) error {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case <-p.done:
			return nil
		case <-timer.C:
			last()
		case <-ctx.Done():
			return fmt.Errorf("agent: waiting for the end of process %s: %w", p.launch.Process, ctx.Err())
		}
	}
}

// kill ends the supervisor. What it leaves is found by follow.
func (p *Process) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.supervisor != nil {
		_ = p.supervisor.Process.Kill()
	}
}

// signalName is SIGKILL, SIGTERM, ...; "" for no signal.
func signalName(sig unix.Signal) string {
	if sig <= 0 {
		return ""
	}
	if name := unix.SignalName(sig); name != "" {
		return name
	}
	return fmt.Sprintf("signal %d", int(sig))
}
