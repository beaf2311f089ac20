package fault

import (
	"errors"
	"fmt"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// runEnded is the reason of what ended only because the run did.
const runEnded = "the run ended"

// errNoHands is the failure of an effect that needs hands where there are none.
var errNoHands = errors.New("this run has no hands to move what is no message")

// carry does the steps of a firing in order. Steps of a fault that failed are
// left out; those of other faults at the point go on.
func (in *Injector) carry(f *Firing) {
	failed := map[string]bool{}
	for _, s := range f.steps {
		if failed[s.fault.ID] {
			if s.later != nil {
				close(s.later)
			}
			continue
		}
		if err := in.step(f.Point, s); err != nil {
			failed[s.fault.ID] = true
			reason := s.effect + ": " + err.Error()
			if in.ctx.Err() != nil {
				reason = runEnded + " before " + s.effect + " was in force"
			}
			in.record(history.FaultFailed, s.fault, f.Point, reason)
		}
	}
}

func (in *Injector) step(p Point, s step) error {
	switch {
	case s.hold != nil:
		in.record(history.FaultLifted, s.fault, p, in.await(p, s, *s.hold))
		return nil
	case s.window != nil:
		return in.window(p, s)
	case s.end != nil:
		in.spawn(s.fault.ID+" "+s.effect, func() {
			in.record(history.FaultLifted, s.fault, p, in.await(p, s, *s.end))
			close(s.later)
		})
		return nil
	}
	if in.hands == nil {
		return errNoHands
	}
	if s.start != nil {
		inForce, err := s.start(in.ctx, in.hands)
		if err == nil {
			in.demand(p, s, inForce)
		}
		return err
	}
	if err := s.move(in.ctx, in.hands); err != nil {
		return err
	}
	if s.lasts > 0 {
		in.spawn(s.fault.ID+" "+s.effect, func() {
			in.record(history.FaultLifted, s.fault, p, in.sleep(s.lasts, s.effect+" is over"))
		})
	}
	return nil
}

// demand sees to it that what was begun comes into force before the run ends.
// It holds nothing up: a run does not wait for it.
func (in *Injector) demand(p Point, s step, inForce <-chan struct{}) {
	in.workers.Add(1) // beside a worker that is counted
	go func() {
		defer in.workers.Done()
		select {
		case <-inForce:
			return
		case <-in.ctx.Done():
		}
		select {
		case <-inForce: // both were ready
		default:
			in.record(history.FaultFailed, s.fault, p, runEnded+" before "+s.effect+" was in force")
		}
	}()
}

// await waits for the end of a hold or a window and returns what ended it.
func (in *Injector) await(p Point, s step, e End) string {
	d, reason := in.left(p), fmt.Sprintf("%v verification_period is over", CapTimes)
	if !e.For.IsZero() {
		if own := e.For.Of(in.limits); own < d {
			d, reason = own, e.For.String()+" is over"
		}
	}
	select {
	case <-s.lift.seen: // before anything else: it may have been passed already
		return s.lift.by
	default:
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-s.lift.seen:
		return s.lift.by
	case <-t.C:
		return reason
	case <-in.ctx.Done():
		return runEnded
	}
}

// sleep waits for a while, or for the end of the run.
func (in *Injector) sleep(d time.Duration, reason string) string {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return reason
	case <-in.ctx.Done():
		return runEnded
	}
}

// window opens something and sees to its end.
func (in *Injector) window(p Point, s step) error {
	if in.hands == nil {
		return errNoHands
	}
	until := make(chan struct{})
	if err := s.open(in.ctx, in.hands, until); err != nil {
		close(until)
		return err
	}
	in.spawn(s.fault.ID+" "+s.effect, func() {
		reason := in.await(p, s, *s.window)
		close(until)
		in.record(history.FaultLifted, s.fault, p, reason)
	})
	return nil
}

// spawn runs f beside a worker that is already counted, so that Close cannot
// have stopped waiting.
func (in *Injector) spawn(what string, f func()) {
	in.mu.Lock()
	key := in.begin(what)
	in.mu.Unlock()
	go func() {
		defer in.workers.Done()
		f()
		in.end(key)
	}()
}

// delay carries a fault out some time after its point. The caller holds mu.
func (in *Injector) delay(st *state, p Point) {
	running := in.begin(st.fault.ID + " delayed")
	go func() {
		defer in.workers.Done()
		defer in.end(running)
		if in.sleep(st.fault.Delay.Of(in.limits), "") == runEnded {
			in.mu.Lock()
			defer in.mu.Unlock()
			delete(st.fired, key(p))
			st.late = true
			return
		}
		f := &Firing{Point: p, Limits: in.limits}
		st.apply(f)
		in.record(history.FaultFired, st.fault, p, "")
		in.carry(f)
	}()
}
