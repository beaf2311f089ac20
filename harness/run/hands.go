package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/control"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/stack"
)

// hands move what is no message, for the faults of one run.
type hands struct {
	crew  *crew
	plane *control.Plane
	stack *stack.Stack

	traffic *traffic
	// impatience is how long a message may be kept for a second process to take its work: a client that
	// gives up meanwhile would be another fault than the one that was planned.
	impatience time.Duration

	mu          sync.Mutex
	escalations map[string]string // task -> the last one
}

var _ fault.Hands = (*hands)(nil)

// Kill ends the process that does the work and starts another for the task
// after downFor. A task that has a result needs no other.
func (h *hands) Kill(ctx context.Context, task, work string, downFor time.Duration) error {
	m, err := h.crew.doing(ctx, task, work)
	if err != nil {
		return err
	}
	if err := m.process.Kill(ctx); err != nil {
		return err
	}
	if _, ended := h.plane.Result(m.task); !ended {
		h.crew.startLater(m.task, downFor)
	}
	return nil
}

// Pause stops the process that does the work, and lets it go on after d.
func (h *hands) Pause(ctx context.Context, task, work string, d time.Duration) error {
	m, err := h.crew.doing(ctx, task, work)
	if err != nil {
		return err
	}
	if err := m.process.Pause(ctx); err != nil {
		return err
	}
	h.crew.resumeLater(m, d)
	return nil
}

// resumeLater lets a process go on after a while, or when the run ends.
func (c *crew) resumeLater(m *member, after time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running.Add(1)
	go func() {
		defer c.running.Done()
		timer := time.NewTimer(after)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-c.ctx.Done():
		case <-m.process.Exited():
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := m.process.Resume(ctx); err != nil && !errors.Is(err, agent.ErrEnded) {
			c.failed(fmt.Errorf("resume after a pause: %w", err))
		}
	}()
}

// Redispatch gives the task to a second process, and waits a while until it
// was given its work.
func (h *hands) Redispatch(ctx context.Context, task string) (<-chan struct{}, error) {
	process, err := h.crew.second(ctx, task)
	if err != nil {
		return nil, err
	}
	given := h.traffic.givenTo(process)
	timer := time.NewTimer(h.impatience)
	defer timer.Stop()
	select {
	case <-given:
	case <-timer.C:
	case <-ctx.Done():
	}
	return given, nil
}

// Cancel cancels the task.
func (h *hands) Cancel(_ context.Context, task string) error { return h.plane.Cancel(task) }

// Stop tells the agent that its own guard stopped it.
func (h *hands) Stop(_ context.Context, task string) error { return h.plane.Stop(task) }

// Revise changes what was confirmed.
func (h *hands) Revise(_ context.Context, task string, content map[string]string) error {
	return h.plane.Revise(task, "", content)
}

// Revoke takes the confirmation or its permissions back.
func (h *hands) Revoke(_ context.Context, task, what string) error { return h.plane.Revoke(task, what) }

// Decide answers the task's last escalation.
func (h *hands) Decide(_ context.Context, task, choice string) error {
	h.mu.Lock()
	escalation := h.escalations[task]
	h.mu.Unlock()
	return h.plane.Decide(task, control.Decision{Escalation: escalation, Choice: choice})
}

// escalated notes which escalation a decision will answer.
func (h *hands) escalated(task, id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.escalations[task] = id
}

// Outage does something to a service's process until the channel is closed.
func (h *hands) Outage(ctx context.Context, service string, how fault.Outage, until <-chan struct{}) error {
	end, err := h.stack.Outage(ctx, service, how)
	if err != nil {
		return err
	}
	h.crew.running.Go(func() {
		<-until // the injector closes it at the end of the run at the latest
		ctx, cancel := context.WithTimeout(context.Background(), 3*patience)
		defer cancel()
		if err := end(ctx); err != nil {
			h.crew.failed(fmt.Errorf("%s of %s cannot end: %w", how, service, err))
		}
	})
	return nil
}

// Refuse closes the task's doors to a service until the channel is closed.
func (h *hands) Refuse(_ context.Context, task, service string, until <-chan struct{}) error {
	if err := h.stack.Refuse(task, service); err != nil {
		return err
	}
	h.crew.running.Go(func() {
		<-until // the injector closes it at the end of the run at the latest
		if err := h.stack.Readmit(task, service); err != nil && h.crew.ctx.Err() == nil {
			h.crew.failed(fmt.Errorf("opening the door to %s again: %w", service, err))
		}
	})
	return nil
}
