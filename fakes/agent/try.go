package agent

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// errGuard says that the run's own guard ended the loop. It is no failure of
// the call that was not made.
var errGuard = errors.New("the run's own guard stopped it")

// errand is one call of a tool or a model, as the layer below makes it.
type errand struct {
	name    string // as messages and traces have it
	call    string // identity: attempts of equal errands add up, over all processes
	request request
	read    func(reply) error // tells whether the body of a success is one
}

// try is the one retry policy, for tools and for models: what passes is tried
// again after a wait, within the budget; anything else ends it at once. It
// returns the reply or what failed; an error is the loop's own end.
func (l *loop) try(ctx context.Context, e errand) (reply, *failure, error) {
	t, most := l.talk, l.p.loop.tries(l.task.Limits)
	if t.Effort == nil || t.Effort.Call != e.call {
		t.Effort = &effort{Call: e.call}
	}
	if t.Effort.Open { // how it ended was never seen
		most = max(most, t.Effort.Attempts+1)
	}
	for {
		if err := l.hold(ctx, t.Effort.Next); err != nil {
			return reply{}, nil, err
		}
		t.Effort.Attempts++
		t.Effort.Open, t.Effort.Next = true, l.backoff(time.Now(), t.Effort.Attempts)
		if err := l.book.keep(t); err != nil {
			return reply{}, nil, err
		}
		r := l.call(ctx, e.request)
		if ctx.Err() != nil {
			return reply{}, nil, ctx.Err()
		}
		t.Effort.Open, t.Effort.Next = false, l.backoff(r.end, t.Effort.Attempts)
		d := l.p.loop.diagnose(r, e.read)
		if d.class == fine {
			return r, nil, nil
		}
		f := &failure{Error: d.name, Message: e.name + ": " + d.text, Retryable: d.class == transient, Attempts: t.Effort.Attempts}
		t.LastError = f.Message
		t.note(fmt.Sprintf("%s: attempt %d: %s: %s", e.name, f.Attempts, d.name, d.text))
		wait := l.p.asked(r)
		if d.class != transient || f.Attempts >= most || wait > l.task.Limits.period() {
			return r, f, nil
		}
		t.Effort.Next = later(t.Effort.Next, r.end.Add(wait))
		l.p.loop.meanwhile(t, *f)
	}
}

// call makes one attempt within its time.
func (l *loop) call(ctx context.Context, r request) reply {
	if d := l.p.timeout(l.task.Limits); d > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, d)
		defer cancel()
	}
	out := l.door.call(ctx, r)
	l.log.Info("called", "operation", r.operation, "status", out.status, "err", out.err)
	return out
}

func (l *loop) backoff(end time.Time, n int) time.Time {
	return end.Add(l.p.wait(l.task.Limits, n, l.dice.roll()))
}

// hold waits until an instant, and ends at once when the guard stops the run.
func (l *loop) hold(ctx context.Context, until time.Time) error {
	for {
		changed := l.signals.wake()
		if l.stopped() {
			return errGuard
		}
		if !time.Now().Before(until) {
			return ctx.Err()
		}
		if err := pause(ctx, until, changed); err != nil {
			return err
		}
	}
}

func (l *loop) stopped() bool { return l.p.stopped(l.signals.snapshot("").stopped) }
