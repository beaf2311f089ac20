package run

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/control"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

// The reasons for which a watch ends, as run.ended records them.
const (
	Settled     = "settled"
	AgentEnded  = "agent ended"
	Deadline    = "deadline"
	Flooded     = "flooded"
	Interrupted = "interrupted"

	// Harness stands before the reason for which the harness could not go on.
	Harness = "harness: "
)

// What a run may record before it is broken off as flooded.
const (
	maxRecords = 20_000
	maxBytes   = 16 << 20 // of recorded bodies
)

// patience bounds everything that the harness itself has to do.
const patience = 10 * time.Second

// traffic is what the records tell about how far a run is. It watches the log,
// so it never blocks and never appends.
type traffic struct {
	mu      sync.Mutex
	acted   time.Duration // last time that anything happened that could have a consequence
	began   time.Duration // last time that something began that an agent must be given time for
	keys    map[string]bool
	records int
	bytes   int
	open    map[string]bool // connections that neither the client nor the harness has ended
	changed chan struct{}
	given   chan struct{}            // closed when the first work was given
	hands   map[string]chan struct{} // by process, closed when it was given work
	first   time.Duration            // when the first work was given
	asking  map[string]time.Duration // processes that were started and have been given nothing yet, by when
}

func newTraffic() *traffic {
	return &traffic{keys: map[string]bool{}, open: map[string]bool{}, changed: make(chan struct{}, 1), given: make(chan struct{}), hands: map[string]chan struct{}{}, asking: map[string]time.Duration{}}
}

// wake lets the watch look again.
func (t *traffic) wake() {
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

func (t *traffic) note(r history.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.wake()
	t.records++
	if r.Wire != nil {
		t.bytes += len(r.Wire.Body)
	}
	switch r.Kind {
	case history.ConnOpened:
		t.open[r.Wire.Conn] = true
	case history.ConnEnded:
		if r.Wire.By != history.ByService {
			delete(t.open, r.Wire.Conn)
		}
	case history.CallSent:
		t.acted = r.At
		if r.Wire.Key != "" && !t.keys[r.Wire.Key] && len(t.keys) < 1000 {
			t.keys[r.Wire.Key] = true
			t.began = r.At
		}
	case history.CallPassed, history.ControlClaim, history.ControlResult:
		t.acted = r.At
	case history.WorkGiven:
		t.acted, t.began = r.At, r.At
		if t.first == 0 {
			t.first = r.At
		}
		delete(t.asking, r.Given.Process)
		shut(t.given)
		shut(t.handed(r.Given.Process))
	case history.ProcessStarted:
		t.acted, t.began = r.At, r.At
		t.asking[r.Process.ID] = r.At
	case history.ProcessExited:
		delete(t.asking, r.Process.ID)
	case history.LedgerRow, history.ControlPlaced, history.FaultFired, history.FaultLifted, history.ProcessResumed:
		t.acted, t.began = r.At, r.At
	}
}

// shut closes a channel that may be closed.
func shut(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}

// handed is closed once the process was given work. The caller holds mu.
func (t *traffic) handed(process string) chan struct{} {
	if t.hands[process] == nil {
		t.hands[process] = make(chan struct{})
	}
	return t.hands[process]
}

// givenTo is closed once the process was given work.
func (t *traffic) givenTo(process string) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.handed(process)
}

// times are the instants of the last act and of the last beginning.
func (t *traffic) times() (acted, began time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.acted, t.began
}

// up notes that a process has asked for work.
func (t *traffic) up(process string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.asking, process)
}

// starting is the instant at which the last process was started that has not
// asked for work yet; ok is false when there is none.
func (t *traffic) starting() (at time.Duration, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, started := range t.asking {
		at, ok = max(at, started), true
	}
	return at, ok
}

// opened is when the first work was given; before that, now.
func (t *traffic) opened(now time.Duration) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.first == 0 {
		return now
	}
	return t.first
}

// putOff puts the deadline off: something is held, or a process is to come.
func (t *traffic) putOff(now time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.began = max(t.began, now)
}

func (t *traffic) flooded() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.records > maxRecords || t.bytes > maxBytes
}

func (t *traffic) connections() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.open)
}

// allowance is the time in which a correct agent brings one thing that has
// begun to its end: it waits for a person, verifies, and hands over.
func allowance(c *scenario.Compiled) time.Duration {
	l := c.Limits
	a := c.Services.Approval
	return a.ApproverAfter + a.CreateAfter + a.ReplicaLag + l.VerificationPeriod + time.Duration(l.MaxAttempts+2)*l.AttemptTimeout + l.Settling()
}

// whole is how many allowances a run takes at most: the submission, what
// depends on it, what takes its place, and what a person decides.
const whole = 4

// watch waits for the end of the run and returns its reason.
func (s *session) watch(ctx context.Context) string {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		reason, next := s.look(ctx)
		if reason != "" {
			return reason
		}
		timer.Reset(next)
		select {
		case <-s.traffic.changed:
		case <-timer.C:
		case <-s.plane.Failed():
		case <-ctx.Done():
		}
	}
}

// look tells why the run is over, or how long nothing will change by itself.
func (s *session) look(ctx context.Context) (reason string, next time.Duration) {
	select {
	case <-ctx.Done():
		return Interrupted, 0
	case <-s.plane.Failed():
		if err := s.plane.Err(); !errors.Is(err, control.ErrFlooded) {
			return Harness + err.Error(), 0
		}
		return Flooded, 0
	default:
	}
	if err := s.failure(); err != nil {
		return Harness + err.Error(), 0
	}
	if s.traffic.flooded() {
		return Flooded, 0
	}
	now, l := s.log.Now(), s.compiled.Limits
	acted, began := s.traffic.times()
	if ended, reason := s.ended(); ended {
		rest := acted + l.Settling() - now
		if s.still() && (rest <= 0 || s.crew.gone()) {
			return reason, 0
		}
		// What makes the rest still has no event in common: a timer of a service, a call in flight, a hold.
		next = max(l.AttemptTimeout/40, time.Millisecond)
		if rest > 0 && !s.crew.gone() {
			next = max(next, rest)
		}
	}
	if s.crew.expects() || len(s.injector.Holding()) > 0 {
		s.traffic.putOff(now)
		began = now
	}
	slack := 3 * s.gauge.read()
	left := min(began+s.allowance, s.traffic.opened(now)+whole*s.allowance) + slack - now
	if at, ok := s.traffic.starting(); ok { // how long a program takes to start says nothing about recovery
		left = max(left, at+s.shared.StartTimeout+slack-now)
	}
	if left <= 0 {
		return Deadline, 0
	}
	if next == 0 {
		return "", left
	}
	return "", min(next, left)
}

// ended tells whether nobody will bring any task further, and the reason that
// this gives.
func (s *session) ended() (bool, string) {
	reason := Settled
	for _, t := range s.compiled.Tasks {
		if _, ok := s.plane.Result(t.ID); ok {
			continue
		}
		if s.crew.lives(t.ID) {
			return false, ""
		}
		reason = AgentEnded
	}
	return true, reason
}

// still tells whether nothing is held, in flight or due.
func (s *session) still() bool {
	return !s.crew.expects() && len(s.injector.Holding()) == 0 && s.stack.Quiet() && len(s.injector.Holding()) == 0
}

// quieten waits until every connection of the agent, whose processes are gone,
// is seen to have ended: how it ended decides what was delivered.
func (s *session) quieten() {
	timer := time.NewTimer(max(time.Second, 3*s.gauge.read()))
	defer timer.Stop()
	for s.traffic.connections() > 0 {
		select {
		case <-s.traffic.changed:
		case <-timer.C:
			return
		}
	}
}

// limits of the run, for those who set it up.
func (s *session) limits() contract.Limits { return s.compiled.Limits }
