package run

import (
	"context"
	"runtime"
	"time"
)

// startup is how long a process that does not ask for work keeps others from
// starting.
const startup = 300 * time.Millisecond

// ramp lets as many runs start at once as there are processors. Starting an
// agent is all work and no waiting: many at once would be noise to those that
// run, and late themselves.
type ramp chan struct{}

func newRamp() ramp { return make(ramp, runtime.GOMAXPROCS(0)) }

// enter waits for a place. It is false when ctx ends before.
func (r ramp) enter(ctx context.Context) bool {
	select {
	case r <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// leave gives the place back when the agent has asked for work, when it is late
// with that, or when the run is over, and closes left then.
func (r ramp) leave(given, over <-chan struct{}) (left <-chan struct{}) {
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
		<-r
	}()
	return done
}
