package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestPartialMakesAPartFail(t *testing.T) {
	g := NewWithT(t)
	e := effect(t, m("partial", "notification"))
	g.Expect(firing(t, e, "approval.submit#1 committed").Order).To(Equal(Order{Conduct: Conduct{Lacking: "notification"}}))
	g.Expect(e.Words()).To(Equal("the consequence stands, and its notification will fail"))
	g.Expect(stands(t, "partial")).To(Equal([]string{"committed"}))
	kind, _ := FindKind("partial")
	g.Expect(kind.Stand(anchor(t, "purchase.buy#1 committed"))).To(MatchError("partial concerns a consequence that has parts, and that of purchase.buy has none: use approval.submit"))
	g.Expect(wrong("partial")).To(Equal([]string{"partial: which part fails? Write partial: notification"}))
	g.Expect(wrong(m("partial", "notifcation"))).To(Equal([]string{`partial: unknown part "notifcation" (did you mean "notification"?)`}))
	g.Expect(compile(t, at(t, "approval.submit#1 committed", m("partial", "notification"))).Needs()).To(Equal([]string{"notify"}))
}
