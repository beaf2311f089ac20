package judge_test

import (
	"container/heap"
	"errors"
	"iter"
	"math/rand/v2"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// The model plays a whole run in virtual time: services, the wire with its
// faults, the control plane, people, and an ideal agent that knows the table by
// heart. It is written from the design's text and shares nothing with the judge.

// sim is the clock of one run and all that is due on it.
type sim struct {
	now   time.Duration
	due   events
	order int
	dice  *dice
	noise time.Duration
	log   []history.Record
}

type event struct {
	at    time.Duration
	order int
	do    func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].order < e[j].order
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	old := *e
	last := old[len(old)-1]
	*e = old[:len(old)-1]
	return last
}

func (s *sim) after(d time.Duration, do func()) {
	s.order++
	heap.Push(&s.due, event{s.now + max(0, d), s.order, do})
}

// run lets everything happen that is due, up to an instant or until something is so.
func (s *sim) run(until time.Duration, over func() bool) {
	for s.due.Len() > 0 && s.due[0].at <= until && !over() {
		e := heap.Pop(&s.due).(event)
		s.now = e.at
		e.do()
	}
}

func (s *sim) record(r history.Record) history.Record {
	r.N, r.At = len(s.log)+1, s.now
	s.log = append(s.log, r)
	return r
}

// travel is how long bytes or a wake-up take on a healthy machine.
func (s *sim) travel() time.Duration { return s.dice.span(20*time.Microsecond, 300*time.Microsecond) }

// lag is how late the harness notices something, at most half of its noise.
func (s *sim) lag() time.Duration { return s.dice.span(0, s.noise*45/100) }

// dice are the choices of one run. After its last one everything is calm: the
// first choice, the least span, no chance taken.
type dice struct {
	rng  *rand.Rand
	left int
}

func newDice(seed uint64, choices int) *dice {
	return &dice{rand.New(rand.NewPCG(seed, 7)), choices}
}

func (d *dice) pick(n int) int {
	if d.left <= 0 || n <= 1 {
		return 0
	}
	d.left--
	return d.rng.IntN(n)
}

// chance is true in so many of a hundred cases.
func (d *dice) chance(percent int) bool { return d.pick(100) >= 100-percent }

func (d *dice) span(from, to time.Duration) time.Duration {
	if to <= from {
		return from
	}
	return from + time.Duration(d.pick(1000))*(to-from)/1000
}

// thread is one thread of a process: straight code that waits in virtual time.
type thread struct {
	s    *sim
	host *host
	next func() (struct{}, bool)
	stop func()
	wait func() bool // false: killed
	turn int         // which of its waits is on
	over bool
}

var errKilled = errors.New("killed")

// spawn starts a thread of a process at once.
func (s *sim) spawn(h *host, body func(*thread)) *thread {
	t := &thread{s: s, host: h}
	t.next, t.stop = iter.Pull(func(yield func(struct{}) bool) {
		t.wait = func() bool { return yield(struct{}{}) }
		defer func() {
			t.over = true
			if e := recover(); e != nil && e != errKilled {
				panic(e)
			}
		}()
		body(t)
	})
	h.threads = append(h.threads, t)
	t.wake(0, 0)
	return t
}

// wake lets the thread go on after d, unless it waits for something else by then.
func (t *thread) wake(turn int, d time.Duration) {
	t.s.after(d, func() { t.host.whenRunning(func() { t.go1(turn) }) })
}

func (t *thread) go1(turn int) {
	if !t.over && t.turn == turn {
		t.turn++
		t.next()
	}
}

// park waits until something wakes this turn.
func (t *thread) park() {
	if !t.wait() {
		panic(errKilled)
	}
}

func (t *thread) sleep(d time.Duration) {
	t.wake(t.turn, d)
	t.park()
}

// signal wakes those that wait for a change.
type signal struct{ waiting []func() }

func (g *signal) fire() {
	waiting := g.waiting
	g.waiting = nil
	for _, wake := range waiting {
		wake()
	}
}

// await waits for a change, at most for d.
func (t *thread) await(g *signal, d time.Duration) {
	turn := t.turn
	g.waiting = append(g.waiting, func() { t.wake(turn, t.s.travel()) })
	t.wake(turn, d)
	t.park()
}

// host is one process of the agent.
type host struct {
	s       *sim
	id      string
	threads []*thread
	dead    bool
	stopped bool
	later   []func()         // what happens when it runs again
	conns   map[string]*link // by service, the one that is used
	links   []*link
}

// whenRunning does something now, or when the harness lets the process run again.
func (h *host) whenRunning(do func()) {
	switch {
	case h.dead:
	case h.stopped:
		h.later = append(h.later, do)
	default:
		do()
	}
}

func (h *host) kill() {
	h.dead, h.later = true, nil
	for _, t := range h.threads {
		if !t.over {
			t.stop()
		}
	}
}

func (h *host) pause() { h.stopped = true }

// resume lets what has come due meanwhile happen, in any order.
func (h *host) resume() {
	h.stopped = false
	later := h.later
	h.later = nil
	for len(later) > 0 {
		n := h.s.dice.pick(len(later))
		do := later[n]
		later = append(later[:n:n], later[n+1:]...)
		h.s.after(h.s.travel(), func() { h.whenRunning(do) })
	}
}
