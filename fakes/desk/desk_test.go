package desk_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/lostreceipt/lostreceipt/fakes/desk"
	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/fakes/service/servicetest"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

type fixture struct {
	*desk.Service
	servicetest.Client
	log    *history.Log
	seam   *servicetest.Seam
	opened chan string
}

func open(t *testing.T) *fixture {
	t.Helper()
	g := NewWithT(t)
	before := gleak.Goroutines()
	f := &fixture{log: history.NewLog(nil), seam: &servicetest.Seam{}, opened: make(chan string, 200)}
	s, err := desk.Open(desk.Config{
		Frame: service.Config{Log: f.log, Seam: f.seam, Identify: func(string, int) (fault.Ref, bool) {
			return fault.Ref{Call: "c-1", Task: "t-1", Work: "w-1"}, true
		}},
		Opened: func(task, id string) { f.opened <- task + " " + id },
	})
	g.Expect(err).NotTo(HaveOccurred())
	f.Service, f.Client.URL = s, s.URL()
	t.Cleanup(func() {
		g.Expect(s.Close(context.Background())).To(Succeed())
		g.Eventually(gleak.Goroutines, time.Minute).ShouldNot(gleak.HaveLeaked(before))
	})
	return f
}

func (f *fixture) escalate(t testing.TB, key, body string) servicetest.Reply {
	t.Helper()
	return f.Call(t, "POST", "/v1/escalations", key, body)
}

func TestAnEscalationIsTakenAsItComes(t *testing.T) {
	g := NewWithT(t)
	f := open(t)
	reply := f.escalate(t, "e", `{"task":"t-9","unknowns":["acceptance"]}`)
	g.Expect(reply.Status).To(Equal(201))
	g.Expect(reply.Body).To(Equal(map[string]any{"id": "e-1"}))
	g.Expect(<-f.opened).To(Equal("t-1 e-1"), "the task of the call, whatever the body says")
	g.Expect(f.seam.Points()).To(Equal([]string{
		"escalate#1 received", "escalate#1 validated", "agent escalates#1", "escalate#1 committed",
	}))
	row := f.log.Records()[2]
	g.Expect(row.Ledger.Effect).To(Equal(history.Escalated))
	g.Expect(row.Facts.Ref).To(Equal("e-1"))
	g.Expect(row.Facts.Escalation.Task).To(Equal("t-9"))
	g.Expect(row.Facts.Escalation.Missing).NotTo(BeEmpty())
}

func TestTheSameIdentifierIsTheSameEscalationOrItsAmendment(t *testing.T) {
	g := NewWithT(t)
	f := open(t)
	for _, body := range []string{`{"last_error":"a"}`, `{"last_error":"a"}`, `{"last_error":"b"}`} {
		g.Expect(f.escalate(t, "e", body).Get("id")).To(Equal("e-1"))
	}
	g.Expect(servicetest.Rows(f.log)).To(Equal([]string{history.Escalated, history.EscalationChange}))
	g.Expect(f.Ledger().Escalations).To(HaveLen(1))
	g.Expect(f.Ledger().Escalations[0].Amendments).To(Equal(1))
	g.Expect(string(f.Ledger().Escalations[0].Body)).To(Equal(`{"last_error":"b"}`))
	g.Expect(f.escalate(t, "e2", `{"last_error":"b"}`).Get("id")).To(Equal("e-2"))
	g.Expect(f.escalate(t, "", `{}`).Get("id")).NotTo(Equal(f.escalate(t, "", `{}`).Get("id")), "no identifier, nothing to recognise")
	g.Expect(f.opened).To(HaveLen(4))
}

func TestEscalationsAtOnceAreOne(t *testing.T) {
	g := NewWithT(t)
	f := open(t)
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() { _, _ = f.Try(t.Context(), "POST", "/v1/escalations", "e", `{}`) })
	}
	all.Wait()
	g.Expect(f.Ledger().Escalations).To(HaveLen(1))
	g.Expect(f.opened).To(HaveLen(1))
}

func TestWhatIsNoObjectIsRefused(t *testing.T) {
	g := NewWithT(t)
	f := open(t)
	for _, body := range []string{``, `help`, `null`, `["help"]`} {
		reply := f.escalate(t, "e", body)
		g.Expect(reply.Status).To(Equal(400), body)
		g.Expect(reply.Get("field")).To(Equal("body"), body)
	}
	g.Expect(servicetest.Rows(f.log)).To(BeEmpty())
}

func TestAFaultThatWaitsForAnEscalationComesBeforeTheReply(t *testing.T) {
	g := NewWithT(t)
	f := open(t)
	reached, release := f.seam.Hold("agent escalates#1", fault.Order{})
	done := make(chan servicetest.Reply, 1)
	go func() {
		reply, _ := f.Try(t.Context(), "POST", "/v1/escalations", "e", `{}`)
		done <- reply
	}()
	servicetest.Await(t, "the escalation", reached)
	g.Expect(servicetest.Rows(f.log)).To(Equal([]string{history.Escalated}))
	g.Expect(done).To(BeEmpty())
	release()
	g.Expect(servicetest.Await(t, "the reply", done).Status).To(Equal(201))
}

func TestALongTraceIsTakenAndNotKept(t *testing.T) {
	g := NewWithT(t)
	f := open(t)
	long := `{"task":"t-1","trace":"` + strings.Repeat("x", 100_000) + `"}`
	g.Expect(f.escalate(t, "e", long).Status).To(Equal(201))
	g.Expect(f.escalate(t, "e", long).Status).To(Equal(201))
	g.Expect(servicetest.Rows(f.log)).To(HaveLen(1), "the same, by its digest")
	g.Expect(len(f.Ledger().Escalations[0].Body)).To(BeNumerically("<", 200))
}
