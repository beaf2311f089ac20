package control

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// The kinds of work.
const (
	taskStart  = "task.start"
	taskResume = "task.resume"
)

// workItem is a work item as the protocol writes it.
type workItem struct {
	ID   string   `json:"id"`
	Kind string   `json:"kind"`
	Task workTask `json:"task"`
}

type workTask struct {
	ID            string              `json:"id"`
	Type          string              `json:"type"`
	Tenant        string              `json:"tenant"`
	Object        string              `json:"object"`
	OnCancel      string              `json:"on_cancel,omitempty"`
	Confirmation  *message            `json:"confirmation,omitempty"`
	Confirmations []message           `json:"confirmations,omitempty"`
	Input         json.RawMessage     `json:"input,omitempty"`
	StateDir      string              `json:"state_dir"`
	Endpoints     map[string]string   `json:"endpoints"`
	Guarantees    contract.Guarantees `json:"guarantees"`
	Limits        limits              `json:"limits"`
}

// limits are what the protocol shows of the run's limits. Retention is a
// promise of each operation instead.
type limits struct {
	AttemptTimeout     float64 `json:"attempt_timeout_ms"`
	MaxAttempts        int     `json:"max_attempts"`
	BackoffBase        float64 `json:"backoff_base_ms"`
	BackoffMax         float64 `json:"backoff_max_ms"`
	BackoffJitter      float64 `json:"backoff_jitter"`
	VerificationPeriod float64 `json:"verification_period_ms"`
	BreakerThreshold   int     `json:"breaker_threshold"`
	MaxSteps           int     `json:"max_steps"`
}

func shown(l contract.Limits) limits {
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	return limits{
		AttemptTimeout: ms(l.AttemptTimeout), MaxAttempts: l.MaxAttempts, BackoffBase: ms(l.BackoffBase), BackoffMax: ms(l.BackoffMax),
		BackoffJitter: l.BackoffJitter, VerificationPeriod: ms(l.VerificationPeriod), BreakerThreshold: l.BreakerThreshold, MaxSteps: l.MaxSteps,
	}
}

// getWork answers GET /v1/work.
func (p *Plane) getWork(r *http.Request, d *door) (reply, *problem) {
	wait, bad := waitOf(r, p.cfg.MaxWait)
	if bad != nil {
		return reply{}, bad
	}
	timeout := time.NewTimer(wait)
	defer timeout.Stop()
	for {
		task, work, kind, more, changed := p.next(d)
		switch {
		case task != "":
			return p.give(r.Context(), d, task, work, kind)
		case !more && d.worker:
			return reply{through: true}, nil
		case !more:
			return reply{status: http.StatusGone, body: noMore()}, nil
		}
		select {
		case <-changed:
		case <-timeout.C:
			return reply{status: http.StatusNoContent}, nil
		case <-r.Context().Done():
			return reply{status: http.StatusNoContent}, nil
		}
	}
}

// next takes the process's next task, if there is one now; more is false once
// there will be none.
func (p *Plane) next(d *door) (task, work, kind string, more bool, changed <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-d.asked:
	default:
		close(d.asked)
	}
	if p.finished || p.closing {
		return "", "", "", false, nil
	}
	for len(d.queue) > 0 {
		id := d.queue[0]
		d.queue = d.queue[1:]
		t := p.tasks[id]
		if t.result != nil {
			continue
		}
		p.works++
		work, kind = "w-"+strconv.Itoa(p.works), taskStart
		if t.given++; t.given > 1 {
			kind = taskResume
		}
		p.holders[work] = holder{process: d.process, task: id}
		d.works[id] = work
		d.offered[id], d.acked[id] = 0, 0
		return id, work, kind, true, nil
	}
	return "", "", "", !p.through(d), p.changed
}

// through tells whether a worker has nothing left to do here. The caller holds mu.
func (p *Plane) through(d *door) bool {
	if !d.worker || d.keep {
		return false
	}
	for id := range d.tasks {
		if p.tasks[id].result == nil {
			return false
		}
	}
	return true
}

// give hands a task out.
func (p *Plane) give(ctx context.Context, d *door, id, work, kind string) (reply, *problem) {
	endpoints, err := p.cfg.Open(ctx, id, work)
	p.mu.Lock()
	defer p.mu.Unlock()
	back := func() { d.queue = append([]string{id}, d.queue...) }
	switch {
	case err != nil && ctx.Err() != nil: // the agent hung up
		back()
		return reply{status: http.StatusNoContent}, nil
	case err != nil:
		p.fail(fmt.Errorf("control: opening the endpoints of %s for task %s: %w", work, id, err))
		return reply{}, &problem{status: http.StatusServiceUnavailable, text: "the harness could not open the task's endpoints"}
	}
	if endpoints == nil {
		endpoints = map[string]string{}
	}
	t := p.tasks[id]
	item := workItem{ID: p.shown(work), Kind: kind, Task: workTask{
		ID: p.shown(t.ID), Type: t.Type, Tenant: t.Tenant, Object: t.Object, OnCancel: t.OnCancel, Input: t.Input,
		StateDir: p.cfg.StateDir(id), Endpoints: endpoints, Guarantees: p.cfg.Guarantees, Limits: shown(p.cfg.Limits),
	}}
	record := history.Record{Kind: history.WorkGiven, Task: id, Work: work, Given: &history.Given{
		Kind: kind, Type: t.Type, OnCancel: t.OnCancel, Process: d.process, Endpoints: slices.Sorted(maps.Keys(endpoints)),
		Input: t.Input,
	}}
	for _, c := range t.confirmations {
		item.Task.Confirmations = append(item.Task.Confirmations, c.message())
		record.Given.Confirmed = append(record.Given.Confirmed, p.facts(t, c))
	}
	if len(t.confirmations) > 0 {
		facts := p.facts(t, t.confirmations[0])
		record.Facts = &facts
	}
	if len(t.confirmations) == 1 {
		item.Task.Confirmation, item.Task.Confirmations = &item.Task.Confirmations[0], nil
	}
	p.cfg.Log.Append(record)
	p.mu.Unlock()
	p.cfg.Notify(fault.Point{Event: fault.AgentStarted, Ref: fault.Ref{Task: id, Work: work}})
	p.mu.Lock()
	return reply{status: http.StatusOK, body: item, lost: func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		back()
		p.wake()
	}}, nil
}

func noMore() *problem { return &problem{text: "no more work: exit with status 0"} }

// waitOf reads the parameter wait: how long the agent would wait. Without it the answer comes at once.
func waitOf(r *http.Request, most time.Duration) (time.Duration, *problem) {
	text := r.URL.Query().Get("wait")
	if text == "" {
		return 0, nil
	}
	wait, err := time.ParseDuration(text)
	if err != nil || wait < 0 {
		return 0, &problem{status: http.StatusBadRequest, field: "wait", text: "not a duration such as 20s or 500ms"}
	}
	return min(wait, most), nil
}
