package agent

import (
	"context"
	"sync"
	"time"
)

// signals is what the inbox has told this process about the task.
type signals struct {
	mu        sync.Mutex
	changed   chan struct{}
	cancelled bool
	stopped   bool
	newer     map[string]confirmation // by id, the highest version
	events    []*record
	decisions []item
	after     int
}

// news is what concerns one confirmation.
type news struct {
	cancelled, stopped bool
	newer              *confirmation
}

func newSignals() *signals {
	return &signals{changed: make(chan struct{}), newer: map[string]confirmation{}}
}

// wake returns a channel that is closed at the next change.
func (s *signals) wake() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

func (s *signals) snapshot(id string) news {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := news{cancelled: s.cancelled, stopped: s.stopped}
	if c, ok := s.newer[id]; ok {
		n.newer = &c
	}
	return n
}

// since returns the events after the first n, and every decision.
func (s *signals) since(n int) ([]*record, []item) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.events[n:], s.decisions
}

func (s *signals) take(in inbox) {
	if len(in.Items) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, it := range in.Items {
		s.after = max(s.after, it.N)
		switch it.Kind {
		case "cancel":
			s.cancelled = true
		case "stop":
			s.stopped = true
		case "revise":
			if c := it.Confirmation; c != nil && c.Version > s.newer[c.ID].Version {
				s.newer[c.ID] = *c
			}
		case "event":
			if it.Record != nil {
				it.Record.Came = time.Now()
				s.events = append(s.events, it.Record)
			}
		case "decision":
			s.decisions = append(s.decisions, it)
		}
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

// pollWait is how long the reference lets one question to the inbox wait.
const pollWait = 5 * time.Second

// watch asks the inbox until ctx ends, with questions that wait for as long as
// listen says. The first does not wait, and its answer is taken in before watch
// calls ready.
func (s *signals) watch(ctx context.Context, c *control, taskID string, listen func() time.Duration, ready func()) error {
	for wait := time.Duration(0); ; wait = listen() {
		s.mu.Lock()
		after := s.after
		s.mu.Unlock()
		in, err := c.inbox(ctx, taskID, after, wait)
		if err != nil {
			ready()
			if ctx.Err() != nil {
				return nil //nolint:nilerr // it was told to stop listening
			}
			return err
		}
		s.take(in)
		ready()
	}
}
