package service

import (
	"sync"
	"sync/atomic"
)

// tally is a wait group that can be read.
type tally struct {
	group sync.WaitGroup
	n     atomic.Int64
}

// Add counts n more; Done one less.
func (t *tally) Add(n int) {
	t.n.Add(int64(n))
	t.group.Add(n)
}

// Done counts one less.
func (t *tally) Done() {
	t.n.Add(-1)
	t.group.Done()
}

// Wait waits until nothing is counted.
func (t *tally) Wait() { t.group.Wait() }

// Quiet tells that no call is under way, nothing runs for an earlier one, and
// no timer is left: without another request nothing here changes any more.
func (s *Service) Quiet() bool { return s.tasks.n.Load() == 0 }
