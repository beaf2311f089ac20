package approval_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/fakes/service/servicetest"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// fixture is a service whose clock the test moves. Every request is of task t-1.
type fixture struct {
	*target
	*approval.Service
	log    *history.Log
	seam   *servicetest.Seam
	clock  *service.ManualClock
	events chan approval.Event
}

func open(t *testing.T, set approval.Settings) *fixture {
	t.Helper()
	g := NewWithT(t)
	before := gleak.Goroutines()
	f := &fixture{
		log: history.NewLog(nil), seam: &servicetest.Seam{}, clock: &service.ManualClock{}, events: make(chan approval.Event, 100),
	}
	s, err := approval.Open(approval.Config{
		Frame: service.Config{
			Log: f.log, Seam: f.seam, Clock: f.clock,
			Identify: func(peer string, seq int) (fault.Ref, bool) {
				return fault.Ref{Call: fmt.Sprint(peer, "/", seq), Task: "t-1", Work: "w-1"}, true
			},
		},
		Settings: set,
		Emit: func(task string, e approval.Event) {
			if task != "t-1" {
				t.Errorf("event of task %q", task)
			}
			f.events <- e
		},
	})
	g.Expect(err).NotTo(HaveOccurred())
	f.Service = s
	n := 0
	f.target = &target{
		Client:  servicetest.Client{URL: s.URL()},
		NewName: func(prefix string) string { n++; return fmt.Sprint(prefix, "-", n) },
	}
	t.Cleanup(func() {
		g.Expect(s.Close(context.Background())).To(Succeed())
		g.Eventually(gleak.Goroutines, time.Minute).ShouldNot(gleak.HaveLeaked(before))
	})
	return f
}

func (f *fixture) rows() []string { return servicetest.Rows(f.log) }

// track is the primary's record.
func (f *fixture) track(t testing.TB, ref string) servicetest.Reply {
	t.Helper()
	return f.Call(t, "GET", "/v1/approvals/"+ref, "", "")
}

func (f *fixture) state(t testing.TB, key string) string {
	t.Helper()
	return f.Call(t, "GET", "/v1/submissions/"+key, "", "").Get("state")
}

// async sends a submission whose reply may never come.
func (f *fixture) async(s submission) <-chan servicetest.Reply {
	replies := make(chan servicetest.Reply, 1)
	go func() {
		reply, _ := f.Try(context.Background(), "POST", "/v1/approvals", s.Key, s.Body())
		replies <- reply
	}()
	return replies
}
