package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"
)

// flow drives one confirmation to its conclusion. Each step starts from the
// store, so a flow can end on any line and another can take over.
type flow struct {
	p       *policies
	control *control
	store   ledger
	door    caller
	signals *signals
	task    task
	given   confirmation // as the work item has it; the current version
	log     *slog.Logger
	dice    *dice

	auth    *authorization
	checked time.Time
	claimed claim
	events  int // of the signals' events, how many were taken in
}

// conclusion is what a confirmation contributes to the result.
type conclusion struct {
	status     string
	unverified []unverified
}

// errStale says that another process has moved the intent meanwhile.
var errStale = errors.New("the record has changed meanwhile")

func (f *flow) run(ctx context.Context) (conclusion, error) {
	if err := f.open(); err != nil {
		return conclusion{}, err
	}
	for {
		changed := f.signals.wake()
		if err := f.absorb(); err != nil {
			return conclusion{}, err
		}
		d, err := f.store.load(f.given.ID)
		if err != nil {
			return conclusion{}, err
		}
		v := f.view(d)
		m := v.decide()
		f.log.Debug("decided", "move", m.do, "action", m.action, "status", m.status, "reason", m.reason)
		if m.do == doConclude {
			return f.conclude(ctx, v, m)
		}
		if err := f.claimFor(ctx, v, m); err != nil {
			return conclusion{}, err
		}
		if m.do == doWait {
			if err := pause(ctx, m.until, changed); err != nil {
				return conclusion{}, err
			}
			continue
		}
		if err := f.carryOut(ctx, v, m); err != nil && !errors.Is(err, errStale) {
			return conclusion{}, fmt.Errorf("%s %s: %w", f.given.ID, m.do, err)
		}
	}
}

// open records the first submission, if there is none yet.
func (f *flow) open() error {
	d, err := f.store.load(f.given.ID)
	if err != nil || d.current() != nil {
		return err
	}
	return f.store.update(f.given.ID, func(d *dossier) error {
		if d.current() != nil {
			return errStale
		}
		d.Bids = append(d.Bids, &bid{Submit: newSubmission(f.task, f.given, "")})
		return nil
	})
}

// view puts together what the next decision rests on.
func (f *flow) view(d *dossier) *view {
	s := f.signals.snapshot(f.given.ID)
	v := &view{p: f.p, task: f.task, d: d, now: time.Now(), auth: f.auth}
	v.cancelled = f.p.cancelled(s.cancelled || f.auth != nil && f.auth.Cancelled)
	v.stopped = f.p.stopped(s.stopped || f.auth != nil && f.auth.Stopped)
	at := d.current().Submit.Confirmation.Version
	for _, c := range []*confirmation{s.newer, &f.given} {
		if c != nil && c.Version > at && (v.newer == nil || c.Version > v.newer.Version) {
			v.newer = c
		}
	}
	return v
}

// absorb takes in what the inbox has brought.
func (f *flow) absorb() error {
	events, decisions := f.signals.since(f.events)
	f.events += len(events)
	if len(events) == 0 && len(decisions) == 0 {
		return nil
	}
	err := f.store.update(f.given.ID, func(d *dossier) error {
		moved := false
		for _, r := range events {
			for _, b := range d.Bids {
				for _, in := range b.intents() { // what depends on a submission shows in its record too
					if (in == b.Submit || in.unknown()) && f.p.association.belongs(f.task, in, r) {
						f.p.association.accept(in, r)
						moved = true
					}
				}
			}
		}
		for _, it := range decisions {
			if h := d.Handover; h != nil && !h.At.IsZero() && h.Choice == "" && (h.ID == "" || it.Escalation == "" || it.Escalation == h.ID) {
				h.Choice, h.ChosenAt = it.Choice, time.Now()
				moved = true
			}
		}
		if !moved {
			return errStale
		}
		return nil
	})
	if errors.Is(err, errStale) {
		return nil
	}
	return err
}

// check asks for the confirmation's authorization, which decides before a write.
func (f *flow) check(ctx context.Context) error {
	a, err := f.control.authorization(ctx, f.given.ID)
	if err != nil {
		return err
	}
	f.auth, f.checked = &a, time.Now()
	return nil
}

// again decides once more, after what was just learned.
func (f *flow) again() (*view, move, error) {
	if err := f.absorb(); err != nil {
		return nil, move{}, err
	}
	d, err := f.store.load(f.given.ID)
	if err != nil {
		return nil, move{}, err
	}
	v := f.view(d)
	return v, v.decide(), nil
}

func (f *flow) carryOut(ctx context.Context, v *view, m move) error {
	switch m.do {
	case doSend:
		return f.send(ctx, m)
	case doPrepare:
		return f.prepare(m)
	case doQuery:
		return f.query(ctx, v, m.in)
	case doTrack:
		return f.track(ctx, m.in, m.in.Record.Ref)
	case doFence:
		return f.fence(ctx, m)
	case doSucceed:
		return f.succeed(m.in)
	case doRevise:
		return f.adopt(*v.newer)
	case doHandOver, doAmend:
		return f.brief(ctx, m)
	case doConsult:
		return f.consult(ctx, m.in)
	case doDeliver:
		return f.deliver(ctx)
	}
	return fmt.Errorf("no way to carry out %q", m.do)
}

// pause waits until an instant or a change.
func pause(ctx context.Context, until time.Time, changed <-chan struct{}) error {
	t := time.NewTimer(time.Until(until))
	defer t.Stop()
	select {
	case <-t.C:
	case <-changed:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// dice are the random part of waits, one sequence a process.
type dice struct {
	mu  sync.Mutex
	rng *rand.Rand
}

func (d *dice) roll() float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rng.Float64()
}
