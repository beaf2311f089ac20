package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestResetLosesTheMessageWithAnRST(t *testing.T) {
	g := NewWithT(t)
	e := effect(t, "reset")
	g.Expect(firing(t, e, "approval.submit#1 replied").Order).To(Equal(Order{Action: Reset}))
	g.Expect(stands(t, "reset")).To(Equal([]string{"sent", "replied"}))
	g.Expect(wrong(m("reset", "now"))).To(Equal([]string{"reset: reset takes no arguments"}))
}

func TestAWireEffectInsideTheServiceIsRefusedWithTheWayOut(t *testing.T) {
	g := NewWithT(t)
	kind, _ := FindKind("reset")
	g.Expect(kind.Stand(anchor(t, "approval.submit#1 committed"))).To(MatchError(
		"reset acts on the wire, and at committed the message is inside the service: use sent or replied, or crash for a service that breaks off there"))
	g.Expect(kind.Stand(anchor(t, "approval.submit#1 delivered"))).To(MatchError("reset comes too late at delivered: the client has the whole reply; use replied"))
	g.Expect(kind.Stand(anchor(t, "agent started"))).To(MatchError("reset acts on a message, and \"agent started\" is no call: use a phase of a call (sent or replied)"))
}
