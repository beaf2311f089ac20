package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestKillNamesTheWorkOfThePoint(t *testing.T) {
	g := NewWithT(t)
	g.Expect(moves(t, firing(t, effect(t, "kill"), "approval.submit#1 committed"))).To(Equal([]string{"kill t-1 w-1 0s"}))
	e := effect(t, m("kill", m("down_for", "0.5 attempt_timeout")))
	g.Expect(moves(t, firing(t, e, "approval.submit#1 committed"))).To(Equal([]string{"kill t-1 w-1 4s"}))
	g.Expect(e.String()).To(Equal("kill: {down_for: 0.5 attempt_timeout}"))
	g.Expect(stands(t, "kill")).To(HaveLen(7))
	g.Expect(wrong(m("kill", "2 attempt_timeout"))).To(Equal([]string{"kill: this takes a map of down_for, not \"2 attempt_timeout\""}))
}
