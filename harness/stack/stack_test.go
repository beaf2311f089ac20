package stack_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/harness/stack"
)

const calm = `
id: calm
title: Nothing breaks
covers: [B03]
task: purchase-approval
`

// rig is one stack and what it told.
type rig struct {
	*WithT
	log    *history.Log
	stack  *stack.Stack
	events chan stack.Event
	opened chan string
	client *http.Client
}

func open(t *testing.T, scale float64, seam fault.Seam) *rig {
	t.Helper()
	return openText(t, calm, scale, nil, func(*scenario.Compiled, *history.Log) fault.Seam { return seam })
}

func openOn(t *testing.T, scale float64, seam fault.Seam, ground stack.Ground) *rig {
	t.Helper()
	return openText(t, calm, scale, ground, func(*scenario.Compiled, *history.Log) fault.Seam { return seam })
}

func openText(t *testing.T, text string, scale float64, ground stack.Ground, seam func(*scenario.Compiled, *history.Log) fault.Seam) *rig {
	t.Helper()
	before := gleak.Goroutines()
	r := &rig{
		WithT: NewWithT(t), log: history.NewLog(nil), events: make(chan stack.Event, 8), opened: make(chan string, 8),
		client: &http.Client{Transport: &http.Transport{}},
	}
	parsed, err := scenario.Parse("calm.yaml", []byte(text), scenario.Options{})
	r.Expect(err).NotTo(HaveOccurred())
	compiled, err := parsed.Compile(contract.Defaults().Scale(scale))
	r.Expect(err).NotTo(HaveOccurred())
	r.stack, err = stack.Open(t.Context(), stack.Config{
		Log: r.log, Scenario: compiled, Seam: seam(compiled, r.log), Ground: ground,
		Failed:    func(err error) { t.Error(err) },
		Emit:      func(_ string, e stack.Event) { r.events <- e },
		Escalated: func(_, id string) { r.opened <- id },
	})
	r.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() {
		r.client.CloseIdleConnections()
		r.Expect(r.stack.Close(context.Background())).To(Succeed())
		r.Expect(r.stack.Close(context.Background())).To(Succeed(), "a second time")
		r.Eventually(gleak.Goroutines, time.Minute).ShouldNot(gleak.HaveLeaked(before))
	})
	return r
}

const submission = `{"confirmation": {"id": "c-1", "version": 1}, "tenant": "acme", "object": "po-17", "content": {"amount": "1.00"}, "digest": "d"}`

func (r *rig) post(url, body string) (int, error) {
	request, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	r.Expect(err).NotTo(HaveOccurred())
	request.Header.Set("Idempotency-Key", "k-1")
	reply, err := r.client.Do(request)
	if err != nil {
		return 0, err
	}
	defer reply.Body.Close()
	_, err = io.Copy(io.Discard, reply.Body)
	return reply.StatusCode, err
}

func (r *rig) door(t *testing.T, task, work string) map[string]string {
	endpoints, err := r.stack.Door(t.Context(), task, work)
	r.Expect(err).NotTo(HaveOccurred())
	return endpoints
}

func TestACallIsKnownToBeOfTheWorkItemWhoseDoorItCameThrough(t *testing.T) {
	r := open(t, 0.001, nil)
	first, second := r.door(t, "t-1", "w-1"), r.door(t, "t-2", "w-2")
	r.Expect(first).To(And(HaveKey("approval"), HaveKey("purchase"), HaveKey("desk"), HaveLen(3)))
	r.Expect(r.post(second["approval"]+"/v1/approvals", submission)).To(Equal(http.StatusCreated))
	var rows, received int
	for _, rec := range r.log.Records() {
		if rec.Kind == history.LedgerRow && rec.Ledger.Effect == history.ApprovalCreated {
			rows++
			r.Expect([]string{rec.Task, rec.Work, rec.Call}).To(Equal([]string{"t-2", "w-2", "c-1"}))
		}
		if rec.Kind == history.ServiceReceived {
			received++
			r.Expect([]string{rec.Task, rec.Work, rec.Call}).To(Equal([]string{"t-2", "w-2", "c-1"}))
		}
	}
	r.Expect(rows).To(Equal(1))
	r.Expect(received).To(Equal(1))
	r.Expect(r.stack.Ledger().Approval.Records).To(HaveLen(1))

	event := <-r.events // the approver decides
	r.Expect(event.Type).To(Equal("approved"))
	r.Expect(event.Facts.Status).To(Equal("approved"))
	r.Expect(event.Facts.Key).To(Equal("k-1"))
}

func TestAStackIsQuietWhenNoTimerCanChangeAnything(t *testing.T) {
	r := open(t, 0.05, nil)
	r.Expect(r.stack.Quiet()).To(BeTrue())
	r.Expect(r.post(r.door(t, "t-1", "w-1")["approval"]+"/v1/approvals", submission)).To(Equal(http.StatusCreated))
	r.Expect(r.stack.Quiet()).To(BeFalse(), "the approver has not decided")
	<-r.events
	r.Eventually(r.stack.Quiet, time.Minute).Should(BeTrue())
}

// holding holds every request at its first phase until it is closed.
type holding struct {
	until chan struct{}
	met   chan fault.Point
}

func (h holding) At(_ context.Context, p fault.Point) fault.Order {
	if p.Phase != fault.Sent {
		return fault.Order{}
	}
	h.met <- p
	return fault.Order{Wait: h.until}
}

func TestAStackIsNotQuietWhileARequestIsHeld(t *testing.T) {
	seam := holding{make(chan struct{}), make(chan fault.Point, 8)}
	r := open(t, 0.001, seam)
	status := make(chan int)
	url := r.door(t, "t-1", "w-1")["approval"]
	go func() {
		code, _ := r.post(url+"/v1/approvals", submission)
		status <- code
	}()
	<-seam.met
	r.Expect(r.stack.Quiet()).To(BeFalse())
	close(seam.until)
	r.Expect(<-status).To(Equal(http.StatusCreated))
	<-r.events
	r.Eventually(r.stack.Quiet, time.Minute).Should(BeTrue())
}

func TestCloseDropsWhatIsHeld(t *testing.T) {
	seam := holding{make(chan struct{}), make(chan fault.Point, 8)}
	r := open(t, 0.05, seam)
	failed := make(chan error)
	url := r.door(t, "t-1", "w-1")["approval"]
	go func() {
		_, err := r.post(url+"/v1/approvals", submission)
		failed <- err
	}()
	<-seam.met
	r.Expect(r.stack.Close(t.Context())).To(Succeed())
	r.Expect(<-failed).To(HaveOccurred())
	r.Expect(r.stack.Ledger().Approval.Records).To(BeEmpty())
}

func TestADoorIsRefusedToOneTaskAndOpensAgain(t *testing.T) {
	r := open(t, 0.001, nil)
	one, other := r.door(t, "t-1", "w-1")["desk"], r.door(t, "t-2", "w-2")["desk"]
	r.Expect(r.stack.Refuse("t-1", "desk")).To(Succeed())
	_, err := r.post(one+"/v1/escalations", `{}`)
	r.Expect(err).To(MatchError(ContainSubstring("refused")))
	r.Expect(r.post(other+"/v1/escalations", `{}`)).To(Equal(http.StatusCreated))
	r.Expect(<-r.opened).To(Equal("e-1"))
	r.Expect(r.stack.Readmit("t-1", "desk")).To(Succeed())
	r.Expect(r.post(one+"/v1/escalations", `{}`)).To(Equal(http.StatusCreated))
}

func TestAStackNeedsALogAndAScenario(t *testing.T) {
	g := NewWithT(t)
	_, err := stack.Open(t.Context(), stack.Config{})
	g.Expect(err).To(MatchError("stack: no log"))
	_, err = stack.Open(t.Context(), stack.Config{Log: history.NewLog(nil)})
	g.Expect(err).To(MatchError("stack: no scenario"))
}

// BenchmarkStack is the cost of a stack: services, wire, one work item's doors,
// and the end of all. The goal is under 2 ms.
func BenchmarkStack(b *testing.B) { benchmark(b, calm) }

// BenchmarkStackOfAQuestion is the same with tools and a model.
func BenchmarkStackOfAQuestion(b *testing.B) { benchmark(b, asked) }

func benchmark(b *testing.B, text string) {
	parsed, err := scenario.Parse("calm.yaml", []byte(text), scenario.Options{})
	if err != nil {
		b.Fatal(err)
	}
	compiled, err := parsed.Compile(contract.Defaults().Scale(contract.DefaultScale))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := stack.Open(context.Background(), stack.Config{Log: history.NewLog(nil), Scenario: compiled})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Door(context.Background(), "t-1", "w-1"); err != nil {
			b.Fatal(err)
		}
		if err := s.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
