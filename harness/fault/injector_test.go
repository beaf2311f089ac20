package fault

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// call is a point of a call of task t-1.
func call(op string, n int, phase Phase) Point {
	return Point{Ref: Ref{Call: fmt.Sprintf("%s-%d", op, n), Task: "t-1", Work: "w-1", Ordinal: n}, Service: "approval", Operation: op, Phase: phase}
}

func start(t testing.TB, h Hands, faults ...Fault) (*Injector, *history.Log) {
	t.Helper()
	log := history.NewLog(nil)
	return NewInjector(Config{Plan: compile(t, faults...), Log: log, Hands: h}), log
}

// receipts are the records as "kind id call reason".
func receipts(log *history.Log) []string {
	var all []string
	for _, r := range log.Records() {
		text := string(r.Kind) + " " + r.Fault.ID
		for _, part := range []string{r.Call, r.Fault.Reason} {
			if part != "" {
				text += " " + part
			}
		}
		all = append(all, text)
	}
	return all
}

func waiting(o Order) bool {
	if o.Wait == nil {
		return false
	}
	select {
	case <-o.Wait:
		return false
	default:
		return true
	}
}

func TestAFaultFiresOnceAtItsPointAndNowhereElse(t *testing.T) {
	g := NewWithT(t)
	in, log := start(t, nil, at(t, "approval.submit#1 replied", "reset"))
	ctx := t.Context()
	copied := call("submit", 1, Replied)
	copied.Copy = true
	g.Expect(in.At(ctx, copied)).To(Equal(Order{}))
	g.Expect(in.At(ctx, call("submit", 1, Sent))).To(Equal(Order{}))
	g.Expect(in.At(ctx, call("submit", 2, Replied))).To(Equal(Order{}))
	g.Expect(in.Pending()).To(HaveLen(1))
	g.Expect(in.Concerns(call("submit", 1, Replied))).To(BeTrue())
	g.Expect(in.Concerns(call("submit", 2, Replied))).To(BeFalse())
	g.Expect(in.At(ctx, call("submit", 1, Replied))).To(Equal(Order{
		Action: Reset, Receipt: &history.Fault{ID: "f-1", Anchor: "approval.submit#1 replied", Effect: "reset"},
	}))
	g.Expect(in.Pending()).To(BeEmpty())
	g.Expect(in.At(ctx, call("submit", 1, Replied))).To(Equal(Order{}), "never twice")
	g.Expect(in.Close()).To(BeEmpty())
	g.Expect(receipts(log)).To(Equal([]string{"fault.planned f-1", "fault.armed f-1", "fault.fired f-1 submit-1"}))

	fired := log.Records()[2]
	g.Expect(fired.Task).To(Equal("t-1"))
	g.Expect(fired.Work).To(Equal("w-1"))
	g.Expect(fired.Fault.Anchor).To(Equal("approval.submit#1 replied"))
	g.Expect(fired.Fault.Effect).To(Equal("reset"))
}

func TestARangeFiresOnceAtEachOfItsCalls(t *testing.T) {
	g := NewWithT(t)
	in, log := start(t, nil, at(t, "approval.submit#1..2 received", m("status", m("code", 503))), optional(at(t, "approval.track#every replied", "hang")))
	for n := 1; n <= 3; n++ {
		g.Expect(in.At(t.Context(), call("submit", n, Received)).Answer != nil).To(Equal(n <= 2), "submit %d", n)
		g.Expect(in.At(t.Context(), call("track", n, Replied)).Action).To(Equal(Hang))
	}
	in.Close()
	g.Expect(receipts(log)).To(Equal([]string{
		"fault.planned f-1", "fault.armed f-1", "fault.planned f-2", "fault.armed f-2",
		"fault.fired f-1 submit-1", "fault.fired f-2 track-1", "fault.fired f-1 submit-2", "fault.fired f-2 track-2", "fault.fired f-2 track-3",
	}))
}

// A range says which of its calls it passed over; one that has not come, or is
// the last that came, is none of them.
func TestARangeTellsItsHoles(t *testing.T) {
	g := NewWithT(t)
	in, log := start(t, nil, at(t, "approval.submit#1..5 replied", "reset"))
	for n := 1; n <= 4; n++ {
		in.At(t.Context(), call("submit", n, Sent))
		if n%2 == 1 {
			in.At(t.Context(), call("submit", n, Replied))
		}
	}
	g.Expect(in.Close()).To(BeEmpty())
	g.Expect(receipts(log)).To(Equal([]string{
		"fault.planned f-1", "fault.armed f-1", "fault.fired f-1 submit-1", "fault.fired f-1 submit-3",
		"fault.missed f-1 submit-2 call 2 of its range never came to replied",
	}))
}

func TestASequenceFiresOnlyInItsOrder(t *testing.T) {
	g := NewWithT(t)
	in, _ := start(t, nil, at(t, "approval.submit#1 replied", "reset"),
		optional(at(t, "approval.query#1 delivered and then approval.submit#2 replied", "reset")),
		optional(at(t, "approval.query#2 delivered and then approval.submit#2 sent", "reset")))
	in.At(t.Context(), call("submit", 1, Replied))
	g.Expect(in.At(t.Context(), call("submit", 2, Sent)).Action).To(Equal(Pass), "the query came not before it")
	in.Observe(t.Context(), call("query", 1, Delivered))
	g.Expect(in.At(t.Context(), call("submit", 2, Replied)).Action).To(Equal(Reset))
	in.Observe(t.Context(), call("query", 2, Delivered))
	missed := in.Close()
	g.Expect(missed).To(HaveLen(1))
	g.Expect(missed[0].Reason).To(Equal(`its anchor was passed up to "approval.query#2 delivered"; "approval.submit#2 sent" did not come after it`))
	g.Expect(missed[0].Optional).To(BeTrue())
}

func TestAFaultThatNeverFiredIsReportedAndRecorded(t *testing.T) {
	g := NewWithT(t)
	in, log := start(t, nil, at(t, "approval.submit#1 replied", "reset"))
	want := []Missed{{ID: "f-1", Anchor: "approval.submit#1 replied", Reason: `"approval.submit#1 replied" was not reached`}}
	g.Expect(in.Close()).To(Equal(want))
	g.Expect(in.Close()).To(Equal(want), "a second close says the same")
	g.Expect(receipts(log)).To(Equal([]string{"fault.planned f-1", "fault.armed f-1", `fault.missed f-1 "approval.submit#1 replied" was not reached`}))
	g.Expect(in.At(t.Context(), call("submit", 1, Replied))).To(Equal(Order{}), "after the end everything passes")
}

func TestAFaultOfAReusedConnectionWaitsForOne(t *testing.T) {
	g := NewWithT(t)
	first := at(t, "approval.submit#1 received", m("status", m("code", 429)))
	reused := with(at(t, "approval.submit#2 replied", "reset"), func(f *Fault) { f.Connection = Reused })

	in, _ := start(t, nil, first, reused)
	in.At(t.Context(), call("submit", 1, Received))
	p := call("submit", 2, Replied)
	p.Reused = true
	g.Expect(in.At(t.Context(), p).Action).To(Equal(Reset))
	g.Expect(in.Close()).To(BeEmpty())

	in, _ = start(t, nil, first, reused)
	in.At(t.Context(), call("submit", 1, Received))
	g.Expect(in.At(t.Context(), call("submit", 2, Replied)).Action).To(Equal(Pass))
	missed := in.Close()
	g.Expect(missed).To(HaveLen(1))
	g.Expect(missed[0].Inapplicable).To(BeTrue())
	g.Expect(missed[0].Reason).To(Equal(history.NotReused))
}

func TestAHoldEndsAtTheFirstOfItsAnchors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		in, log := start(t, nil, at(t, "approval.submit#1 replied", m("hold", m("until", l("approval.query#2 delivered", "agent escalates"), "for", "2 attempt_timeout")), "reset"))
		o := in.At(t.Context(), call("submit", 1, Replied))
		g.Expect(o.Action).To(Equal(Reset), "what follows the hold is done after it")
		in.Observe(t.Context(), call("query", 1, Delivered))
		synctest.Wait()
		g.Expect(waiting(o)).To(BeTrue())
		g.Expect(in.Holding()).To(Equal([]string{"f-1 at approval.submit#1 replied"}))
		in.Observe(t.Context(), Point{Ref: Ref{Task: "t-1"}, Event: AgentEscalates})
		<-o.Wait
		g.Expect(in.Holding()).To(BeEmpty())
		in.Close()
		g.Expect(receipts(log)).To(Equal([]string{"fault.planned f-1", "fault.armed f-1", "fault.fired f-1 submit-1", "fault.lifted f-1 submit-1 agent escalates"}))
	})
}

func TestAnAnchorThatWasPassedBeforeTheHoldEndsItAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		in, _ := start(t, nil, at(t, "approval.submit#1 replied", m("hold", m("until", l("approval.query#1 delivered")))))
		in.Observe(t.Context(), call("query", 1, Delivered))
		begin := time.Now()
		<-in.At(t.Context(), call("submit", 1, Replied)).Wait
		g.Expect(time.Since(begin)).To(BeZero())
		in.Close()
	})
}

func TestAHoldEndsByItsSpanOrByTheCap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		until := func() Written { return l("agent escalates") }
		in, log := start(t, nil,
			at(t, "approval.submit#1 replied", m("hold", m("until", until(), "for", "2 attempt_timeout"))),
			optional(at(t, "approval.submit#2 replied", m("hold", m("until", until())))),
			optional(at(t, "approval.query#1 replied", m("hold", m("until", until())))))
		begin := time.Now()
		in.At(t.Context(), call("submit", 1, Sent))
		<-in.At(t.Context(), call("submit", 1, Replied)).Wait
		g.Expect(time.Since(begin)).To(Equal(16 * time.Second))

		<-in.At(t.Context(), call("submit", 2, Replied)).Wait
		g.Expect(time.Since(begin)).To(Equal(48*time.Second), "0.8 of the period from the first send, not from the hold")

		o := in.At(t.Context(), call("query", 1, Replied))
		<-o.Wait
		g.Expect(time.Since(begin)).To(Equal(96*time.Second), "that time is over, so a read counts from its hold")
		in.Close()
		g.Expect(receipts(log)[6:]).To(Equal([]string{
			"fault.fired f-1 submit-1", "fault.lifted f-1 submit-1 2 attempt_timeout is over",
			"fault.fired f-2 submit-2", "fault.lifted f-2 submit-2 0.8 verification_period is over",
			"fault.fired f-3 query-1", "fault.lifted f-3 query-1 0.8 verification_period is over",
		}))
	})
}

func TestAHoldThatComesAfterTheCapHoldsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		in, log := start(t, nil, at(t, "approval.submit#1 replied", "reset"),
			optional(at(t, "approval.submit#2 replied", m("hold", m("until", l("agent escalates"))))))
		in.At(t.Context(), call("submit", 1, Sent))
		time.Sleep(50 * time.Second)
		begin := time.Now()
		<-in.At(t.Context(), call("submit", 2, Replied)).Wait
		g.Expect(time.Since(begin)).To(BeZero())
		in.Close()
		g.Expect(receipts(log)).To(ContainElement("fault.lifted f-2 submit-2 0.8 verification_period is over"))
	})
}

func TestCloseReleasesEveryWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		in, log := start(t, nil, at(t, "approval.submit#1 replied", m("hold", m("until", l("agent escalates")))))
		o := in.At(t.Context(), call("submit", 1, Replied))
		in.Close()
		g.Expect(waiting(o)).To(BeFalse())
		g.Expect(receipts(log)).To(ContainElement("fault.lifted f-1 submit-1 the run ended"))
	})
}

// slow is a pair of hands whose kill takes a while.
type slow struct {
	*recorder
	release chan struct{}
	err     error
	until   <-chan struct{}
}

func (s *slow) Kill(ctx context.Context, task, work string, d time.Duration) error {
	_ = s.recorder.Kill(ctx, task, work, d)
	select {
	case <-s.release:
		return s.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *slow) Refuse(ctx context.Context, task, service string, until <-chan struct{}) error {
	s.until = until
	return s.recorder.Refuse(ctx, task, service, until)
}

func TestAKillIsInForceBeforeTheMessageGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		h := &slow{recorder: &recorder{}, release: make(chan struct{})}
		in, _ := start(t, h, at(t, "approval.submit#1 committed", "kill", "redispatch", m("hold", m("for", "1 attempt_timeout"))))
		o := in.At(t.Context(), call("submit", 1, Committed))
		synctest.Wait()
		g.Expect(waiting(o)).To(BeTrue())
		g.Expect(h.said).To(Equal([]string{"kill t-1 w-1 0s"}), "the list's order is kept")
		close(h.release)
		begin := time.Now()
		<-o.Wait
		g.Expect(time.Since(begin)).To(Equal(8*time.Second), "the hold begins when the kill is in force")
		g.Expect(h.said).To(Equal([]string{"kill t-1 w-1 0s", "redispatch t-1"}))
		g.Expect(o.Action).To(Equal(Pass), "without another effect the message goes on")
		in.Close()
	})
}

func TestHandsThatFailAreAHarnessErrorAndTheMessageGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		h := &slow{recorder: &recorder{}, release: make(chan struct{}), err: errors.New("no such process")}
		close(h.release)
		in, log := start(t, h, at(t, "approval.submit#1 replied", "kill", m("hold", m("for", "1 attempt_timeout"))))
		<-in.At(t.Context(), call("submit", 1, Replied)).Wait
		in.Close()
		g.Expect(receipts(log)).To(Equal([]string{"fault.planned f-1", "fault.armed f-1", "fault.fired f-1 submit-1", "fault.failed f-1 submit-1 kill: no such process"}))
	})
}

func TestWithoutHandsAKillFails(t *testing.T) {
	g := NewWithT(t)
	in, log := start(t, nil, at(t, "approval.submit#1 replied", "kill"))
	<-in.At(t.Context(), call("submit", 1, Replied)).Wait
	in.Close()
	g.Expect(receipts(log)).To(ContainElement("fault.failed f-1 submit-1 kill: this run has no hands to move what is no message"))
}

func TestAWindowIsOpenWhileMessagesGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		h := &slow{recorder: &recorder{}}
		in, log := start(t, h, at(t, "agent started", m("refuse", m("service", "approval", "for", "1 attempt_timeout"))))
		o := in.At(t.Context(), Point{Ref: Ref{Task: "t-1", Work: "w-1"}, Event: AgentStarted})
		<-o.Wait
		begin := time.Now()
		g.Expect(h.said).To(Equal([]string{"refuse t-1 approval"}))
		g.Expect(in.Holding()).To(Equal([]string{"f-1 refuse"}))
		<-h.until
		g.Expect(time.Since(begin)).To(Equal(8 * time.Second))
		synctest.Wait()
		g.Expect(in.Holding()).To(BeEmpty())
		in.Close()
		g.Expect(receipts(log)).To(Equal([]string{"fault.planned f-1", "fault.armed f-1", "fault.fired f-1", "fault.lifted f-1 1 attempt_timeout is over"}))
	})
}

func TestAPauseIsLiftedWhenItsTimeIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		in, log := start(t, &recorder{}, at(t, "approval.submit#1 replied", m("pause", "2 attempt_timeout")))
		<-in.At(t.Context(), call("submit", 1, Replied)).Wait
		g.Expect(in.Holding()).To(Equal([]string{"f-1 pause"}))
		time.Sleep(16 * time.Second)
		synctest.Wait()
		g.Expect(in.Holding()).To(BeEmpty())
		in.Close()
		g.Expect(receipts(log)).To(ContainElement("fault.lifted f-1 submit-1 pause is over"))
	})
}

func TestADelayedFaultFiresLaterAndTheMessageGoesOnAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		h := &recorder{}
		in, log := start(t, h, with(at(t, "approval.submit#1 sent", "cancel"), func(f *Fault) { f.Delay = span(t, "0.5 attempt_timeout") }))
		g.Expect(in.At(t.Context(), call("submit", 1, Sent))).To(Equal(Order{}))
		g.Expect(in.Holding()).To(Equal([]string{"f-1 delayed"}))
		g.Expect(receipts(log)).To(Equal([]string{"fault.planned f-1", "fault.armed f-1"}))
		time.Sleep(4 * time.Second)
		synctest.Wait()
		g.Expect(h.said).To(Equal([]string{"cancel t-1"}))
		g.Expect(receipts(log)).To(Equal([]string{"fault.planned f-1", "fault.armed f-1", "fault.fired f-1 submit-1"}))
		g.Expect(in.Close()).To(BeEmpty())
	})
}

func TestARunThatEndsBeforeADelayHasMissedTheFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		in, _ := start(t, &recorder{}, with(at(t, "approval.submit#1 sent", "cancel"), func(f *Fault) { f.Delay = span(t, "0.5 attempt_timeout") }))
		in.At(t.Context(), call("submit", 1, Sent))
		missed := in.Close()
		g.Expect(missed).To(HaveLen(1))
		g.Expect(missed[0].Reason).To(Equal("the run ended before its delay was over"))
	})
}

func TestEventsWithoutAnOrdinalAreCounted(t *testing.T) {
	g := NewWithT(t)
	in, log := start(t, &recorder{}, at(t, "approval.submit#1 replied", "reset"), optional(at(t, "agent claims tracking#2", "cancel")))
	claim := func(state string) Point {
		return Point{Ref: Ref{Task: "t-1", Work: "w-1"}, Event: AgentClaims, Detail: state}
	}
	in.Observe(t.Context(), claim("tracking"))
	in.Observe(t.Context(), claim("submitting"))
	g.Expect(receipts(log)).To(HaveLen(4))
	o := in.At(t.Context(), claim("tracking"))
	g.Expect(o.Wait).NotTo(BeNil())
	<-o.Wait
	in.Close()
	g.Expect(receipts(log)).To(ContainElement("fault.fired f-2"))
}

func TestAnEventThatIsPutOutCanBeHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		in, _ := start(t, nil, at(t, "event approved#1 emitted", m("hold", m("until", l("approval.track#2 delivered"), "for", "1 attempt_timeout"))))
		o := in.At(t.Context(), Point{Ref: Ref{Task: "t-1", Ordinal: 1}, Service: "approval", Event: EventEmitted, Detail: "approved"})
		synctest.Wait()
		g.Expect(waiting(o)).To(BeTrue())
		in.Observe(t.Context(), call("track", 2, Delivered))
		<-o.Wait
		g.Expect(in.Close()).To(BeEmpty())
	})
}

func TestTwoFaultsAtOnePointAreCarriedOutInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		h := &recorder{}
		in, log := start(t, h, at(t, "approval.submit#1 replied", "cancel"), at(t, "approval.submit#1 replied", m("kill", m()), "reset"))
		o := in.At(t.Context(), call("submit", 1, Replied))
		<-o.Wait
		g.Expect(o.Action).To(Equal(Reset))
		g.Expect(h.said).To(Equal([]string{"cancel t-1", "kill t-1 w-1 0s"}))
		in.Close()
		g.Expect(receipts(log)).To(Equal([]string{"fault.planned f-1", "fault.armed f-1", "fault.planned f-2", "fault.armed f-2", "fault.fired f-1 submit-1", "fault.fired f-2 submit-1"}))
	})
}

func TestASecondDecisionAboutOneMessageFails(t *testing.T) {
	g := NewWithT(t)
	in, log := start(t, nil, at(t, "approval.submit#1 replied", "reset"),
		optional(at(t, "approval.submit#1 sent and then approval.submit#1 replied", "hang")))
	in.At(t.Context(), call("submit", 1, Sent))
	g.Expect(in.At(t.Context(), call("submit", 1, Replied)).Action).To(Equal(Reset))
	in.Close()
	g.Expect(receipts(log)).To(ContainElement("fault.failed f-2 submit-1 another fault already decides what becomes of this message"))
}

func TestUnderManyCallersEachFaultStillFiresOnce(t *testing.T) {
	g := NewWithT(t)
	before := gleak.Goroutines()
	in, log := start(t, &recorder{}, at(t, "approval.submit#1 replied", m("hold", m("until", l("approval.query#50 delivered"))), "reset"))
	const callers = 16
	var fired atomic.Int32
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for n := 1; n <= 100; n++ {
				in.Observe(t.Context(), call("query", n, Delivered))
				if o := in.At(t.Context(), call("submit", 1, Replied)); o.Action == Reset {
					fired.Add(1)
					<-o.Wait
				}
				in.Holding()
				in.Pending()
			}
		})
	}
	all.Wait()
	g.Expect(in.Close()).To(BeEmpty())
	g.Expect(fired.Load()).To(BeEquivalentTo(1))
	g.Expect(receipts(log)).To(Equal([]string{"fault.planned f-1", "fault.armed f-1", "fault.fired f-1 submit-1", "fault.lifted f-1 submit-1 approval.query#50 delivered"}))
	g.Eventually(gleak.Goroutines, time.Minute).ShouldNot(gleak.HaveLeaked(before))
}

func TestCloseWhileCallersAreInside(t *testing.T) {
	g := NewWithT(t)
	before := gleak.Goroutines()
	for range 50 {
		in, _ := start(t, &recorder{}, at(t, "approval.submit#1 replied", "cancel", m("hold", m("until", l("agent escalates")))),
			with(at(t, "approval.submit#1 sent", "stop"), func(f *Fault) { f.Delay = span(t, "1 attempt_timeout") }))
		var all sync.WaitGroup
		for _, phase := range []Phase{Sent, Replied} {
			all.Go(func() {
				if o := in.At(t.Context(), call("submit", 1, phase)); o.Wait != nil {
					<-o.Wait
				}
			})
		}
		in.Close()
		all.Wait()
	}
	g.Eventually(gleak.Goroutines, time.Minute).ShouldNot(gleak.HaveLeaked(before))
}
