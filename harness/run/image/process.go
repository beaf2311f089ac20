package image

import (
	"context"
	"fmt"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/stack/container"
)

// process is one container of the agent.
type process struct {
	box      *container.Box
	id, task string
	log      *history.Log
	output   *agent.Output

	exited, done chan struct{}

	mu     sync.Mutex
	ended  bool
	paused bool
	reason string // what the harness did last
}

var _ run.Process = (*process)(nil)

func (p *process) Exited() <-chan struct{} { return p.exited }
func (p *process) Done() <-chan struct{}   { return p.done }

func (p *process) record(kind history.Kind, about history.Process) {
	about.ID = p.id
	p.log.Append(history.Record{Kind: kind, Task: p.task, Process: &about})
}

// start records the start before anything that the process does.
func (p *process) start(ctx context.Context) error {
	p.record(history.ProcessStarted, history.Process{})
	if err := p.box.Start(ctx); err != nil {
		p.end(history.Process{Code: 1, Reason: err.Error()})
		_ = p.box.Remove(ctx) // or with the engine
		close(p.done)
		return err
	}
	go p.follow() //nolint:gosec // the start's context ends long before the process
	return nil
}

// follow waits for the end, keeps what was printed, and takes the container away.
func (p *process) follow() {
	defer close(p.done)
	status, err := p.box.Wait()
	exit := history.Process{Code: status}
	switch {
	case err != nil:
		exit = history.Process{Code: -1, Reason: err.Error()}
	case status > 128: // how a container tells of a signal
		exit = history.Process{Code: -1, Signal: unix.SignalName(syscall.Signal(status - 128))}
	}
	p.end(exit)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if text, err := p.box.Output(ctx, agent.DefaultOutput); err == nil { // it proves nothing
		p.output.Add(p.id, text)
	}
	_ = p.box.Remove(ctx) // or with the engine
}

func (p *process) end(exit history.Process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	if p.reason != "" {
		exit.Reason = p.reason
	}
	p.record(history.ProcessExited, exit)
	close(p.exited)
}

// order records what is about to be done.
func (p *process) order(kind history.Kind, reason string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return fmt.Errorf("process %s: %w", p.id, agent.ErrEnded)
	}
	if kind != "" {
		p.record(kind, history.Process{Reason: reason})
	}
	if reason != "" {
		p.reason = reason
	}
	return nil
}

// Kill is the fault: the container is killed, and is gone when Kill returns.
func (p *process) Kill(ctx context.Context) error {
	if err := p.order(history.ProcessKilled, "SIGKILL as a fault"); err != nil {
		return err
	}
	if err := p.box.Kill(ctx); err != nil {
		return err
	}
	return p.await(ctx)
}

// Pause makes it stand still.
func (p *process) Pause(ctx context.Context) error {
	if err := p.order("", ""); err != nil {
		return err
	}
	if err := p.box.Pause(ctx); err != nil {
		return err
	}
	p.mu.Lock()
	p.paused = true
	p.mu.Unlock()
	return p.order(history.ProcessPaused, "")
}

// Resume lets it go on.
func (p *process) Resume(ctx context.Context) error {
	if err := p.order(history.ProcessResumed, ""); err != nil {
		return err
	}
	p.mu.Lock()
	p.paused = false
	p.mu.Unlock()
	return p.box.Resume(ctx)
}

// Stop ends it because the run is over.
func (p *process) Stop(ctx context.Context, grace time.Duration) error {
	if err := p.order("", agent.Stopped); err == nil {
		p.mu.Lock()
		paused := p.paused
		p.mu.Unlock()
		if paused {
			_ = p.box.Resume(ctx) // a process that stands still cannot end
		}
		timer := time.AfterFunc(grace, func() { _ = p.box.Kill(ctx) }) // it may have ended
		defer timer.Stop()
		_ = p.box.Stop(ctx, grace) // it may have ended
	}
	return p.await(ctx)
}

func (p *process) await(ctx context.Context) error {
	select {
	case <-p.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("waiting for the end of process %s: %w", p.id, ctx.Err())
	}
}
