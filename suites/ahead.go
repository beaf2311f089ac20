package suites

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/lostreceipt/lostreceipt/harness/run"
)

// runner runs jobs, as [run.All] does.
type runner func(ctx context.Context, jobs []run.Job, shared run.Shared) []run.Result

// ahead runs scenarios before the specs that await them ask, each once.
type ahead struct {
	run    runner
	shared run.Shared
	jobs   map[string]run.Job // by the scenario's id

	ctx     context.Context // of what runs ahead
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu       sync.Mutex
	launched bool
	begun    map[string]*environment
}

var errNoResult = errors.New("it was left out")

// environment is one scenario that runs or has run.
type environment struct {
	done   chan struct{}
	result run.Result // once done is closed, and err is nil
	err    error
}

func newAhead(r runner) *ahead {
	ctx, cancel := context.WithCancel(context.Background())
	return &ahead{run: r, jobs: map[string]run.Job{}, ctx: ctx, cancel: cancel, begun: map[string]*environment{}}
}

// launch runs the scenarios of these ids at once and returns. Only its first
// call does anything.
func (a *ahead) launch(ids []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.launched || len(ids) == 0 {
		return
	}
	a.launched = true
	var these []string
	for _, id := range ids {
		if _, known := a.jobs[id]; known && a.begin(id) {
			these = append(these, id)
		}
	}
	a.running.Go(func() { a.carry(a.ctx, these) })
}

// await returns what came of a scenario, and runs it if nobody has begun to.
func (a *ahead) await(ctx context.Context, id string) (run.Result, error) {
	a.mu.Lock()
	if _, known := a.jobs[id]; !known {
		a.mu.Unlock()
		return run.Result{}, fmt.Errorf("suites: there is no scenario %q in this suite", id)
	}
	first := a.begin(id)
	e := a.begun[id]
	a.mu.Unlock()
	if first {
		a.carry(ctx, []string{id})
	}
	select {
	case <-e.done:
		return e.result, e.err
	case <-ctx.Done():
		return run.Result{}, fmt.Errorf("suites: waiting for scenario %s: %w", id, context.Cause(ctx))
	}
}

// begin notes, with the lock held, that a scenario is begun, and tells whether
// it was not.
func (a *ahead) begin(id string) bool {
	if a.begun[id] != nil {
		return false
	}
	a.begun[id] = &environment{done: make(chan struct{})}
	return true
}

// carry runs scenarios that were begun and delivers what came of each, in any
// case: nobody waits for ever.
func (a *ahead) carry(ctx context.Context, ids []string) {
	defer func() {
		why := context.Cause(ctx)
		if p := recover(); p != nil {
			why = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
		if why == nil {
			why = errNoResult
		}
		for _, id := range ids {
			a.deliver(id, run.Result{}, fmt.Errorf("suites: scenario %s did not run: %w", id, why))
		}
	}()
	jobs := make([]run.Job, len(ids))
	for i, id := range ids {
		jobs[i] = a.jobs[id]
	}
	shared := a.shared
	shared.Done = func(r run.Result) { a.deliver(r.Job.Scenario.ID, r, nil) }
	a.run(ctx, jobs, shared)
}

// deliver ends the waiting for a scenario. What comes first stands.
func (a *ahead) deliver(id string, r run.Result, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	e := a.begun[id]
	select {
	case <-e.done:
	default:
		e.result, e.err = r, err
		close(e.done)
	}
}

// stop ends what runs ahead and waits for it. It can be called again.
func (a *ahead) stop() {
	a.cancel()
	a.running.Wait()
}
