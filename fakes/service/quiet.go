package service

import "sync"

// tally is a wait group that can be read, and that tells when it comes to
// nothing and when it no longer is.
type tally struct {
	group sync.WaitGroup
	told  func(quiet bool) // nil: nobody is told

	mu sync.Mutex
	n  int
}

// Add counts n more; Done one less.
func (t *tally) Add(n int) {
	t.count(n)
	t.group.Add(n)
}

// Done counts one less.
func (t *tally) Done() {
	t.count(-1)
	t.group.Done()
}

func (t *tally) count(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := t.n == 0
	t.n += n
	if now := t.n == 0; now != before && t.told != nil {
		t.told(now)
	}
}

// Wait waits until nothing is counted.
func (t *tally) Wait() { t.group.Wait() }

// Quiet tells that no call is under way, nothing runs for an earlier one, and
// no timer is left: without another request nothing here changes any more.
func (s *Service) Quiet() bool {
	s.tasks.mu.Lock()
	defer s.tasks.mu.Unlock()
	return s.tasks.n == 0
}
