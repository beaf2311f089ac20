package fault

import (
	"slices"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// of are the records of a kind.
func of(log *history.Log, kind history.Kind) []history.Record {
	return slices.DeleteFunc(log.Records(), func(r history.Record) bool { return r.Kind != kind })
}

func TestAFaultOfOneStepIsArmedFromTheStart(t *testing.T) {
	g := NewWithT(t)
	in, log := start(t, nil, at(t, "approval.submit#1 replied", "reset"))
	g.Expect(of(log, history.FaultPlanned)[0].Fault.Steps).To(Equal(1))
	armed := of(log, history.FaultArmed)
	g.Expect(armed).To(HaveLen(1))
	g.Expect(armed[0].Fault).To(Equal(&history.Fault{ID: "f-1", Anchor: "approval.submit#1 replied", Effect: "reset"}))
	in.At(t.Context(), call("submit", 1, Replied))
	in.Close()
	g.Expect(of(log, history.FaultArmed)).To(HaveLen(1), "once")
}

// A sequence is armed at the step before its last, with the call that was there,
// and not before.
func TestASequenceIsArmedWhenOnlyItsLastStepIsAwaited(t *testing.T) {
	g := NewWithT(t)
	in, log := start(t, nil, at(t, "approval.submit#1 replied", "reset"),
		optional(at(t, "approval.submit#1 sent and then approval.query#1..2 delivered and then approval.submit#2..3 replied", "hang")))
	g.Expect(of(log, history.FaultPlanned)[1].Fault.Steps).To(Equal(3))
	ctx := t.Context()
	in.At(ctx, call("submit", 2, Replied))
	in.At(ctx, call("submit", 1, Sent))
	g.Expect(of(log, history.FaultArmed)).To(HaveLen(1), "two steps are still to come")
	in.At(ctx, call("query", 1, Delivered))
	armed := of(log, history.FaultArmed)
	g.Expect(armed).To(HaveLen(2))
	g.Expect(armed[1].Fault.ID).To(Equal("f-2"))
	g.Expect([]string{armed[1].Task, armed[1].Work, armed[1].Call}).To(Equal([]string{"t-1", "w-1", "query-1"}))
	g.Expect(armed[1].Fault.Reason).To(Equal("approval.query#1..2 delivered"))
	for n := 2; n <= 3; n++ {
		in.At(ctx, call("query", n, Delivered))
		g.Expect(in.At(ctx, call("submit", n, Replied)).Action).To(Equal(Hang))
	}
	g.Expect(of(log, history.FaultArmed)).To(HaveLen(2), "once, however often it fires")
	in.Close()
}

func TestWhatNeverCameToItsLastStepWasNotArmed(t *testing.T) {
	g := NewWithT(t)
	in, log := start(t, nil, at(t, "approval.submit#1 replied", "reset"), optional(at(t, "approval.query#1 delivered and then approval.submit#2 sent", "reset")))
	in.At(t.Context(), call("submit", 2, Sent))
	in.Close()
	g.Expect(of(log, history.FaultArmed)).To(HaveLen(1))
}

// Nobody can come to the last step between the step before it and its receipt:
// that of the firing would stand before that of the arming.
func TestNobodyFiresAFaultBeforeItsArmingIsWritten(t *testing.T) {
	g := NewWithT(t)
	in, log := start(t, nil, at(t, "approval.submit#1 replied", "reset"), optional(at(t, "approval.query#1 delivered and then approval.submit#2 replied", "reset")))
	seen := false
	defer log.Watch(func(r history.Record) {
		if r.Kind != history.FaultArmed {
			return
		}
		if seen = true; in.mu.TryLock() {
			in.mu.Unlock()
			t.Error("another caller could have passed a point")
		}
	})()
	in.At(t.Context(), call("query", 1, Delivered))
	g.Expect(seen).To(BeTrue())
}

func TestAReceiptTellsTheDelay(t *testing.T) {
	g := NewWithT(t)
	_, log := start(t, &recorder{}, with(at(t, "approval.submit#1 sent", "cancel"), func(f *Fault) { f.Delay = span(t, "0.5 attempt_timeout") }))
	g.Expect(log.Records()[0].Fault.Delay).To(Equal(4 * time.Second))
}
