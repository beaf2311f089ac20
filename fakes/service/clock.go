package service

import (
	"slices"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// A Clock tells a service the time and wakes it. It is safe for concurrent use.
type Clock interface {
	// Now is the present instant, counted from the start of the run.
	Now() time.Duration
	// AfterFunc calls f once, in a goroutine of its own or of whoever moves the clock, when d is over.
	// The returned function prevents that and tells whether it was in time.
	AfterFunc(d time.Duration, f func()) (stop func() bool)
}

// logClock is the clock of a history.
type logClock struct{ log *history.Log }

func (c logClock) Now() time.Duration { return c.log.Now() }

func (c logClock) AfterFunc(d time.Duration, f func()) func() bool {
	return time.AfterFunc(d, f).Stop
}

// ManualClock is a clock that stands still until it is advanced. The zero value
// stands at 0.
type ManualClock struct {
	mu     sync.Mutex
	now    time.Duration
	alarms []*alarm
}

type alarm struct {
	at time.Duration
	f  func()
}

// Now is the instant that the clock was advanced to.
func (c *ManualClock) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// AfterFunc keeps f for the call of Advance that reaches its instant.
func (c *ManualClock) AfterFunc(d time.Duration, f func()) func() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := &alarm{at: c.now + d, f: f}
	c.alarms = append(c.alarms, a)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		n := len(c.alarms)
		c.alarms = slices.DeleteFunc(c.alarms, func(b *alarm) bool { return a == b })
		return len(c.alarms) < n
	}
}

// Advance moves the clock by d, stops at each alarm on the way, and calls it
// before it goes on.
func (c *ManualClock) Advance(d time.Duration) {
	c.mu.Lock()
	end := c.now + d
	for {
		next := -1
		for i, a := range c.alarms {
			if a.at <= end && (next < 0 || a.at < c.alarms[next].at) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		a := c.alarms[next]
		c.alarms = slices.Delete(c.alarms, next, next+1)
		c.now = max(c.now, a.at)
		c.mu.Unlock()
		a.f()
		c.mu.Lock()
	}
	c.now = end
	c.mu.Unlock()
}
