package fault

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Config is what an [Injector] works with.
type Config struct {
	_ struct{}

	Plan *Plan
	// Limits are the run's. Zero: the plan's.
	Limits contract.Limits
	// Log takes the receipts. It must be set.
	Log *history.Log
	// Hands move what is no message. Nil: an effect that needs hands fails.
	Hands Hands
}

// Missed is a fault that did not fire.
type Missed struct {
	_ struct{}

	ID, Anchor, Reason string
	Optional           bool
	// Inapplicable: the call came, and only never on the kind of connection that the fault asks for.
	Inapplicable bool
}

// Injector is the [Seam] that carries out a [Plan]. It matches points, tells
// the gate and the services what to do, moves the hands, and writes a receipt
// of everything into the history. Each fault fires exactly once, or once at
// each of its ordinals. Its methods are safe for concurrent use.
type Injector struct {
	plan   *Plan
	limits contract.Limits
	log    *history.Log
	hands  Hands
	writes map[operation]bool // operations that are writes

	ctx     context.Context // of hands; ends with Close
	cancel  context.CancelFunc
	workers sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	missed  []Missed
	states  []*state
	counts  map[string]int           // events that came without an ordinal
	firsts  map[write]time.Duration  // instant of its first send
	latest  map[string]time.Duration // task -> instant of its last first send
	active  map[int]string           // what is held, open, delayed or being moved
	nextKey int
}

var _ Scout = (*Injector)(nil)

type operation struct{ service, name string }

// write is one of those operations, of a task.
type write struct {
	task string
	operation
}

// NewInjector starts a plan and records what is planned.
func NewInjector(c Config) *Injector {
	in := &Injector{
		plan: c.Plan, limits: c.Limits, log: c.Log, hands: c.Hands, writes: map[operation]bool{},
		counts: map[string]int{}, firsts: map[write]time.Duration{}, latest: map[string]time.Duration{}, active: map[int]string{},
	}
	if in.plan == nil {
		in.plan = &Plan{}
	}
	if in.limits == (contract.Limits{}) {
		in.limits = in.plan.limits
	}
	for _, op := range contract.Operations() {
		in.writes[operation{op.Service, op.Name}] = op.Write
	}
	in.ctx, in.cancel = context.WithCancel(context.Background())
	for _, f := range in.plan.faults {
		st := newState(f)
		in.states = append(in.states, st)
		in.record(history.FaultPlanned, f, Point{}, "")
		in.arm(st, Point{})
	}
	return in
}

// At decides about one point. It never blocks; what has to happen before the
// message goes on is behind the order's Wait.
func (in *Injector) At(_ context.Context, p Point) Order {
	in.mu.Lock()
	if in.closed || p.Copy {
		in.mu.Unlock()
		return Order{}
	}
	in.number(&p)
	in.noteSend(p)
	// All ends come before all beginnings: a point may lift one hold and start another.
	for _, st := range in.states {
		st.pass(p)
		st.note(p)
	}
	var firing *Firing
	var fired, doubled, delayed []*state
	for _, st := range in.states {
		if !st.due(p) {
			in.arm(st, p)
			continue
		}
		if firing == nil {
			firing = &Firing{Point: p, Limits: in.limits}
		}
		switch {
		case st.final && firing.decided():
			doubled = append(doubled, st)
		case st.fault.delayed():
			delayed = append(delayed, st)
		default:
			st.apply(firing)
			fired = append(fired, st)
		}
	}
	if firing == nil {
		in.mu.Unlock()
		return Order{}
	}
	var done chan struct{}
	key := 0
	if len(firing.steps) > 0 {
		done = make(chan struct{})
		firing.Order.Wait = done
		key = in.begin(fired[0].fault.ID + " at " + p.describe())
	}
	for _, st := range delayed {
		in.delay(st, p)
	}
	in.mu.Unlock()

	for _, st := range fired {
		in.record(history.FaultFired, st.fault, p, "")
	}
	for _, st := range doubled {
		in.record(history.FaultFailed, st.fault, p, "another fault already decides what becomes of this message")
	}
	if done != nil {
		go func() {
			in.carry(firing)
			in.end(key)
			close(done)
			in.workers.Done()
		}()
	}
	return firing.Order
}

// Concerns implements [Scout]: whether p is a step of an anchor of the plan.
func (in *Injector) Concerns(p Point) bool {
	return slices.ContainsFunc(in.states, func(st *state) bool { return st.concerns(p) })
}

// Observe is At for whoever has no message to act on: the order is dropped,
// and what it plans is carried out all the same.
func (in *Injector) Observe(ctx context.Context, p Point) { in.At(ctx, p) }

// number gives an event its ordinal when its caller does not count. The caller holds mu.
func (in *Injector) number(p *Point) {
	if p.Event == "" || p.Ordinal != 0 {
		return
	}
	key := p.Event + "\x00" + p.Task
	if p.Event == AgentClaims || p.Event == EventEmitted || p.Event == EventDelivered {
		key += "\x00" + p.Detail
	}
	in.counts[key]++
	p.Ordinal = in.counts[key]
}

// noteSend remembers when a task first sent a write: the verification period of
// that action runs from there. The caller holds mu.
func (in *Injector) noteSend(p Point) {
	w := write{p.Task, operation{p.Service, p.Operation}}
	if p.Event != "" || p.Phase != Sent || !in.writes[w.operation] {
		return
	}
	if _, ok := in.firsts[w]; !ok {
		now := in.log.Now()
		in.firsts[w], in.latest[p.Task] = now, now
	}
}

// left is how much of the time is left for which something may be held at this
// point. For a write it counts from that action's own first send, else from the
// last first send of the task, unless that one's time is over: then nothing is
// in doubt any more, and it counts from now.
func (in *Injector) left(p Point) time.Duration {
	in.mu.Lock()
	defer in.mu.Unlock()
	whole := time.Duration(CapTimes * float64(in.limits.VerificationPeriod))
	if w := (write{p.Task, operation{p.Service, p.Operation}}); p.Event == "" && in.writes[w.operation] {
		if at, ok := in.firsts[w]; ok {
			return max(0, whole-(in.log.Now()-at))
		}
		return whole
	}
	if at, ok := in.latest[p.Task]; ok {
		if rest := whole - (in.log.Now() - at); rest > 0 {
			return rest
		}
	}
	return whole
}

// begin enters something into the list of what is going on, and a worker with
// it. The caller holds mu and has seen that the injector is not closed.
func (in *Injector) begin(what string) int {
	in.nextKey++
	in.active[in.nextKey] = what
	in.workers.Add(1)
	return in.nextKey
}

func (in *Injector) end(key int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	delete(in.active, key)
}

// Holding lists what is going on at this moment, one line each: messages held,
// windows open, delays running, hands moving, processes paused.
func (in *Injector) Holding() []string {
	in.mu.Lock()
	defer in.mu.Unlock()
	lines := make([]string, 0, len(in.active))
	for _, what := range in.active {
		lines = append(lines, what)
	}
	slices.Sort(lines)
	return lines
}

// Pending are the faults that have not fired and are not optional.
func (in *Injector) Pending() []Planned {
	in.mu.Lock()
	defer in.mu.Unlock()
	var pending []Planned
	for _, st := range in.states {
		if len(st.fired) == 0 && !st.fault.Optional {
			pending = append(pending, st.fault)
		}
	}
	return pending
}

// Close releases every wait, ends every window, waits for the hands, and
// records and returns the faults that never fired. After it, At lets
// everything pass. It can be called more than once.
func (in *Injector) Close() []Missed {
	in.mu.Lock()
	first := !in.closed
	in.closed = true
	in.mu.Unlock()
	in.cancel()
	in.workers.Wait()
	if !first {
		in.mu.Lock()
		defer in.mu.Unlock()
		return slices.Clone(in.missed)
	}
	var missed []Missed
	for _, st := range in.states {
		if len(st.fired) > 0 {
			for _, p := range st.holes() {
				in.record(history.FaultMissed, st.fault, p, fmt.Sprintf("call %d of its range never came to %s", p.Ordinal, st.fault.At.Last().Phase))
			}
			continue
		}
		m := Missed{ID: st.fault.ID, Anchor: st.fault.At.String(), Optional: st.fault.Optional, Reason: st.why()}
		m.Inapplicable = m.Reason == history.NotReused
		missed = append(missed, m)
		in.record(history.FaultMissed, st.fault, Point{}, m.Reason)
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.missed = missed
	return slices.Clone(missed)
}

// arm writes, once, that a fault waits for the last step of its anchor; p is at
// the one before. Nobody else may see p's successor in between, so the caller
// holds mu, unless nobody knows of the injector yet.
func (in *Injector) arm(st *state, p Point) {
	if by, now := st.arms(); now {
		in.record(history.FaultArmed, st.fault, p, by)
	}
}

// record writes one receipt.
func (in *Injector) record(kind history.Kind, f Planned, p Point, reason string) {
	r := &history.Fault{ID: f.ID, Anchor: f.At.String(), Effect: f.Effect(), Optional: f.Optional, Reason: reason, Delay: f.Delay.Of(in.limits)}
	if kind == history.FaultPlanned {
		r.Steps = len(f.At.Steps)
	}
	in.log.Append(history.Record{Kind: kind, Task: p.Task, Work: p.Work, Call: p.Call, Fault: r})
}

// describe names a point for people.
func (p Point) describe() string {
	if p.Event != "" {
		return fmt.Sprintf("%s %s#%d", p.Event, p.Detail, p.Ordinal)
	}
	return fmt.Sprintf("%s.%s#%d %s", p.Service, p.Operation, p.Ordinal, p.Phase)
}
