package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Function is an agent that is a Go function of this program. It is called once
// for each process that a command would have, many at once, and speaks the
// agent protocol at the URL that it is given, with the bearer token. It returns
// when it is told that there is no more work (410), or when ctx ends; then
// nothing that it started may call anybody any more. An error is what a process
// that exits with a status other than 0 is, and so is a panic.
//
// A function cannot be killed, paused or started again by the harness, so
// scenarios that do that are not applicable.
type Function func(ctx context.Context, url, token string) error

var _ Agent = Function(nil)

// Lacks names what no function has.
func (f Function) Lacks() []string { return []string{"restart"} }

// Open makes the function ready for one run.
func (f Function) Open(log *history.Log) (Crew, error) {
	if f == nil {
		return nil, errors.New("run: the agent is no function: it is nil")
	}
	return &functionCrew{function: f, log: log}, nil
}

type functionCrew struct {
	function Function
	log      *history.Log

	mu    sync.Mutex
	calls []*functionCall
}

// Start calls the function.
func (c *functionCrew) Start(_ context.Context, l agent.Launch) (Process, error) {
	ctx, cancel := context.WithCancel(context.Background())
	call := &functionCall{cancel: cancel, done: make(chan struct{})}
	c.mu.Lock()
	c.calls = append(c.calls, call)
	c.mu.Unlock()
	c.log.Append(history.Record{Kind: history.ProcessStarted, Task: l.Task, Process: &history.Process{ID: l.Process}})
	go func() {
		defer close(call.done)
		defer cancel()
		err := c.function.guarded(ctx, l.URL, l.Token)
		end := history.Process{ID: l.Process}
		switch {
		case ctx.Err() != nil:
			end.Reason = agent.Stopped
		case err != nil:
			end.Code, end.Reason = 1, err.Error()
		}
		c.log.Append(history.Record{Kind: history.ProcessExited, Task: l.Task, Process: &end})
	}()
	return call, nil
}

// guarded makes an error of a panic.
func (f Function) guarded(ctx context.Context, url, token string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f(ctx, url, token)
}

// WriteOutput writes nothing: a function prints as the whole program does.
func (c *functionCrew) WriteOutput(io.Writer) error { return nil }

// Close waits for every call. One that does not return when its context ends
// holds the run up: it could call the services of another one.
func (c *functionCrew) Close() {
	c.mu.Lock()
	calls := c.calls
	c.mu.Unlock()
	for _, call := range calls {
		call.cancel()
		<-call.done
	}
}

// functionCall stands for the process that one call of the function is.
type functionCall struct {
	cancel context.CancelFunc
	done   chan struct{}
}

var errFunction = errors.New("a function cannot be killed, paused or started again by the harness")

func (c *functionCall) Exited() <-chan struct{}      { return c.done }
func (c *functionCall) Done() <-chan struct{}        { return c.done }
func (c *functionCall) Kill(context.Context) error   { return errFunction }
func (c *functionCall) Pause(context.Context) error  { return errFunction }
func (c *functionCall) Resume(context.Context) error { return errFunction }

// Stop ends the function's context and waits for its return until ctx ends.
func (c *functionCall) Stop(ctx context.Context, _ time.Duration) error {
	c.cancel()
	select {
	case <-c.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the function does not return though its context has ended: %w", ctx.Err())
	}
}
