package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestDecideAnswersAnEscalation(t *testing.T) {
	g := NewWithT(t)
	e := effect(t, m("decide", "resubmit"))
	g.Expect(moves(t, firing(t, e, "agent escalates"))).To(Equal([]string{"decide t-1 resubmit"}))
	kind, _ := FindKind("decide")
	g.Expect(kind.Stand(anchor(t, "agent escalates and then approval.query#1 sent"))).To(Succeed())
	g.Expect(kind.Stand(anchor(t, "desk.escalate#1 delivered"))).To(Succeed())
	g.Expect(kind.Stand(anchor(t, "approval.submit#1 sent"))).To(MatchError(
		"decide answers an escalation, and none has come before: use \"agent escalates\", perhaps followed by \"and then\""))
	g.Expect(wrong("decide")).To(Equal([]string{"decide: decide what? Write decide: wait, decide: close or decide: resubmit"}))
	g.Expect(wrong(m("decide", "go on"))).To(Equal([]string{"decide: unknown decision \"go on\": one of wait, close, resubmit"}))
}
