package service_test

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	fake "github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/suites/service"
)

const retention = 40 * time.Second

// shaky is the seam of a service that lets requests overlap and breaks off when
// it is told to, or again and again.
type shaky struct {
	operation string // that is shaky; "": submit
	breakOff  atomic.Bool
	every     int64 // how many points pass before it breaks off; 0: all do
	points    atomic.Int64
}

func (s *shaky) At(_ context.Context, p fault.Point) (order fault.Order) {
	switch {
	case s.every > 0 && s.points.Add(1)%s.every == 0:
		order.Crash = true
	case p.Operation != cmp.Or(s.operation, "submit"):
	case p.Phase == fault.Validated:
		for range 20 { // let others come as far
			runtime.Gosched()
		}
	case p.Phase == fault.Committed && s.breakOff.CompareAndSwap(true, false):
		order.Crash = true
	}
	return order
}

// subject opens the harness's own approval service. All that its owner can lend
// is lent; the clock is the test's.
func subject(t *testing.T, set approval.Settings) service.Subject {
	t.Helper()
	return subjectOf(t, set, &shaky{})
}

func subjectOf(t *testing.T, set approval.Settings, seam *shaky) service.Subject {
	t.Helper()
	g := NewWithT(t)
	before := gleak.Goroutines()
	clock := &fake.ManualClock{}
	s, err := approval.Open(approval.Config{Frame: fake.Config{Seam: seam, Clock: clock}, Settings: set})
	g.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() {
		g.Expect(s.Close(context.Background())).To(Succeed())
		g.Eventually(gleak.Goroutines, time.Minute).ShouldNot(gleak.HaveLeaked(before))
	})
	return service.Subject{
		Approvals: service.HTTP{URL: s.URL()},
		Promises:  service.Everything(retention),
		Decide: func(_ context.Context, ref, outcome string) error {
			if s.Decide("", outcome) == 0 {
				return fmt.Errorf("nothing to decide about %s", ref)
			}
			return nil
		},
		Notifications: func(_ context.Context, ref string) (int, error) {
			for _, r := range s.Ledger().Records {
				if r.Ref == ref {
					return r.Notifications, nil
				}
			}
			return 0, fmt.Errorf("no record %s", ref)
		},
		BreakOff: func(context.Context) error {
			seam.breakOff.Store(true)
			return nil
		},
		Wait: func(_ context.Context, d time.Duration) error {
			clock.Advance(d)
			return nil
		},
		Patience: 2 * time.Second,
		Rounds:   5,
	}
}

func promising() approval.Settings {
	return approval.Settings{Promises: approval.Promises(retention), Plain: true}
}
