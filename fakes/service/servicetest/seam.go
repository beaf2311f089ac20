package servicetest

import (
	"context"
	"fmt"
	"sync"

	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// Seam gives the orders that a test wrote down. It is ready as its zero value
// and safe for concurrent use.
type Seam struct {
	mu     sync.Mutex
	orders map[string]fault.Order
	counts map[string]int
	points []string
	seen   map[string]chan struct{}
}

// Order writes down what happens at an anchor: "submit#1 committed", or
// "event emitted approved#1". Each is met once.
func (s *Seam) Order(anchor string, order fault.Order) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.orders == nil {
		s.orders = map[string]fault.Order{}
	}
	s.orders[anchor] = order
}

// Hold writes down a wait at an anchor. reached is closed when it is met;
// release ends the wait and may be called once.
func (s *Seam) Hold(anchor string, after fault.Order) (reached <-chan struct{}, release func()) {
	wait := make(chan struct{})
	after.Wait = wait
	s.Order(anchor, after)
	return s.Reached(anchor), func() { close(wait) }
}

// Reached is closed when the anchor is met.
func (s *Seam) Reached(anchor string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.channel(anchor)
}

func (s *Seam) channel(anchor string) chan struct{} {
	if s.seen == nil {
		s.seen = map[string]chan struct{}{}
	}
	if s.seen[anchor] == nil {
		s.seen[anchor] = make(chan struct{})
	}
	return s.seen[anchor]
}

// Points are the anchors met so far, in order.
func (s *Seam) Points() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.points...)
}

// At implements [fault.Seam].
func (s *Seam) At(_ context.Context, p fault.Point) fault.Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts == nil {
		s.counts = map[string]int{}
	}
	what, phase := p.Operation, " "+string(p.Phase)
	if p.Event != "" {
		what, phase = p.Event, ""
		if p.Detail != "" {
			what += " " + p.Detail
		}
	}
	s.counts[what+phase]++
	anchor := fmt.Sprintf("%s#%d%s", what, s.counts[what+phase], phase)
	s.points = append(s.points, anchor)
	close(s.channel(anchor))
	return s.orders[anchor]
}
