package run

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"
)

// startup is how long a process that does not ask for work keeps others from
// starting: longer than any program is busy with its start on a machine that is
// not, and not so long that one that only waits holds up the rest.
const startup = time.Second

// least is how many tasks for each processor may be under way on a machine that
// is late all the time.
const least = 8

// ramp lets as many runs start at once as there are processors. Starting an
// agent is all work and no waiting: many at once would be noise to those that
// run, and late themselves. They start in the order in which they queue. While
// the machine is late, by more than patience, only the least start: what others
// ask of it decides how many runs it can time, and nobody can know that before.
type ramp struct {
	late     func() time.Duration // how late it is; nil: never
	patience time.Duration

	mu      sync.Mutex
	free    int
	running int // tasks of the runs that have started and are not over
	waiting []starter
}

// starter is a run that waits for its turn, and how many tasks it has.
type starter struct {
	turn chan struct{}
	size int
}

func newRamp(late func() time.Duration, patience time.Duration) *ramp {
	return &ramp{free: runtime.GOMAXPROCS(0), late: late, patience: patience}
}

// queue asks for the start of a run of so many tasks and returns at once. enter
// waits for it, and is false when ctx ends before; it must be called.
func (r *ramp) queue(size int) (enter func(ctx context.Context) bool) {
	turn := make(chan struct{})
	r.mu.Lock()
	r.waiting = append(r.waiting, starter{turn, size})
	r.next()
	r.mu.Unlock()
	return func(ctx context.Context) bool {
		select {
		case <-turn:
			return true
		case <-ctx.Done():
		}
		r.mu.Lock()
		i := slices.IndexFunc(r.waiting, func(s starter) bool { return s.turn == turn })
		if i >= 0 {
			r.waiting = slices.Delete(r.waiting, i, i+1)
		}
		r.mu.Unlock()
		if i < 0 {
			r.back()
			r.over(size)
		}
		return false
	}
}

// next lets who waits start, as far as there is room. The caller holds mu.
func (r *ramp) next() {
	for r.free > 0 && len(r.waiting) > 0 && r.room(r.waiting[0].size) {
		close(r.waiting[0].turn)
		r.free--
		r.running += r.waiting[0].size
		r.waiting = r.waiting[1:]
	}
}

// room tells whether a run of so many tasks may start: whatever its size, if it
// is the only one.
func (r *ramp) room(size int) bool {
	return r.running == 0 || r.running+size <= least*runtime.GOMAXPROCS(0) || r.late == nil || r.late() <= r.patience
}

// look starts who waits, if the machine is in time again.
func (r *ramp) look() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next()
}

// over ends a run of so many tasks that has started.
func (r *ramp) over(size int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running -= size
	r.next()
}

func (r *ramp) back() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.free++
	r.next()
}

// leave gives the start back when the agent has asked for work, when it is late
// with that, or when the run is over, and closes left then.
func (r *ramp) leave(given, over <-chan struct{}) (left <-chan struct{}) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		timer := time.NewTimer(startup)
		defer timer.Stop()
		select {
		case <-given:
		case <-over:
		case <-timer.C:
		}
		r.back()
	}()
	return done
}
