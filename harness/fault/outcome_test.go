package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestOutcomeDecidesAtAMoment(t *testing.T) {
	g := NewWithT(t)
	e := effect(t, m("outcome", "declined"))
	g.Expect(firing(t, e, "approval.withdraw#1 received").Order).To(Equal(Order{Conduct: Conduct{Outcome: "declined"}}))
	g.Expect(Decides(e)).To(Equal("declined"))
	g.Expect(Decides(effect(t, "reset"))).To(BeEmpty())
	g.Expect(stands(t, "outcome")).To(Equal([]string{"received", "validated", "committed"}))
	kind, _ := FindKind("outcome")
	g.Expect(kind.Stand(anchor(t, "approval.track#1 received"))).To(Succeed())
	g.Expect(kind.Stand(anchor(t, "desk.escalate#1 received"))).To(MatchError("outcome is decided in the approval service, and desk has no part in it: use a call of approval"))
	g.Expect(wrong("outcome")).To(Equal([]string{"outcome: which outcome? Write outcome: approved or outcome: declined"}))
	g.Expect(wrong(m("outcome", "aproved"))).To(Equal([]string{`outcome: unknown outcome "aproved" (did you mean "approved"?)`}))
}
