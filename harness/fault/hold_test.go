package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestHoldWaitsForItsEnd(t *testing.T) {
	g := NewWithT(t)
	e := effect(t, m("hold", m("until", l("approval.query#3 delivered", "agent escalates"), "for", "2 attempt_timeout")))
	g.Expect(e.String()).To(Equal("hold: {until: [approval.query#3 delivered, agent escalates], for: 2 attempt_timeout}"))
	f := firing(t, e, "approval.submit#1 sent")
	g.Expect(f.Order).To(Equal(Order{}), "the wait is made by the injector")
	g.Expect(f.steps).To(HaveLen(1))
	g.Expect(f.steps[0].hold.Until).To(HaveLen(2))
	g.Expect(stands(t, "hold")).To(Equal([]string{"sent", "received", "validated", "committed", "replied"}))
	kind, _ := FindKind("hold")
	g.Expect(kind.Stand(anchor(t, "event approved#1 emitted"))).To(Succeed())
}

func TestAHoldWithoutAnEndIsRefused(t *testing.T) {
	g := NewWithT(t)
	const needs = "this needs an end: hold: {until: [<anchor>, ...], for: <duration>}"
	g.Expect(wrong("hold")).To(Equal([]string{"hold: " + needs}))
	g.Expect(wrong(m("hold", m()))).To(Equal([]string{"hold: " + needs}))
	g.Expect(wrong(m("hold", m("until", l())))).To(Equal([]string{"hold.until: the list of anchors is empty"}))
	g.Expect(wrong(m("hold", m("until", "agent escalates")))).To(ConsistOf("hold.until: this takes a list, such as [approval.query#3 delivered], not \"agent escalates\""))
	g.Expect(wrong(m("hold", m("until", l("approval.query delivered"))))).To(Equal([]string{
		"hold.until.0: the ordinal is missing: which call of approval.query? (did you mean \"approval.query#1 delivered\"?)",
	}))
	g.Expect(wrong(m("hold", m("until", l("approval.query#every delivered"))))).To(Equal([]string{"hold.until.0: this ends at one moment: name one ordinal"}))
	g.Expect(wrong(m("hold", m("untill", l("agent escalates"))))).To(ContainElement("hold.untill: unknown field \"untill\" (did you mean \"until\"?)"))
}
