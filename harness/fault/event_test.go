package fault

import (
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/gomega"
)

func TestEventsAreLateTwiceLostOrOvertaken(t *testing.T) {
	g := NewWithT(t)
	const emitted = "event approved#1 emitted"
	g.Expect(firing(t, effect(t, m("event", "twice")), emitted).Order).To(Equal(Order{Conduct: Conduct{Fate: Twice}}))
	g.Expect(firing(t, effect(t, m("event", "lost")), emitted).Order).To(Equal(Order{Conduct: Conduct{Fate: Lost}}))
	g.Expect(effect(t, m("event", "late")).Words()).To(Equal("the event comes 0.25 verification_period late"))
	g.Expect(stands(t, "event")).To(BeEmpty())
	kind, _ := FindKind("event")
	g.Expect(kind.Stand(anchor(t, emitted))).To(Succeed())
	g.Expect(kind.Stand(anchor(t, "event approved#1 delivered"))).To(MatchError(`event comes too late at "event approved#1 delivered": the agent has it; use emitted`))
	g.Expect(kind.Stand(anchor(t, "approval.submit#1 sent"))).To(MatchError(
		`event says what becomes of an event, and "approval.submit#1 sent" is none: use one that is emitted, such as event approved#1 emitted`))
	g.Expect(wrong("event")).To(Equal([]string{"event: what becomes of the event? Write one of late, twice, out-of-order, lost"}))
	g.Expect(wrong(m("event", "out of order"))).To(Equal([]string{`event: unknown fate of an event "out of order" (did you mean "out-of-order"?)`}))
}

// emitted is the point at which a service puts an event of t-1 out.
func emitted() Point {
	return Point{Ref: Ref{Task: "t-1"}, Service: "approval", Event: EventEmitted, Detail: "approved"}
}

func TestALateEventWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		in, _ := start(t, nil, at(t, "event approved#1 emitted", m("event", "late")))
		began := time.Now()
		o := in.At(t.Context(), emitted())
		g.Expect(o.Fate).To(BeEmpty())
		<-o.Wait
		g.Expect(time.Since(began)).To(Equal(15 * time.Second))
		in.Close()
	})
}

func TestAnEventThatNothingOvertakesComesAtTheEndOfEveryHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		in, log := start(t, nil, at(t, "event approved#1 emitted", m("event", "out-of-order")))
		began := time.Now()
		o := in.At(t.Context(), emitted())
		<-o.Wait
		g.Expect(time.Since(began)).To(BeZero())
		g.Expect(o.Fate).To(Equal(Overtaken))
		<-o.Later
		g.Expect(time.Since(began)).To(Equal(48 * time.Second))
		in.Close()
		g.Expect(receipts(log)[3]).To(Equal("fault.lifted f-1 0.8 verification_period is over"))
	})
}
