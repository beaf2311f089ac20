package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestCrashBreaksOffAtItsMoment(t *testing.T) {
	g := NewWithT(t)
	before, between := effect(t, m("crash", "before-commit")), effect(t, m("crash", "between-commit-and-dedup"))
	g.Expect(firing(t, before, "approval.submit#1 validated").Order).To(Equal(Order{Conduct: Conduct{Crash: true}}))
	g.Expect(firing(t, between, "approval.submit#1 committed").Order).To(Equal(Order{Conduct: Conduct{Crash: true}}))
	g.Expect(before.(fitting).fits(anchor(t, "approval.submit#1 committed"))).To(MatchError("crash: before-commit stands at validated, not at committed"))
	g.Expect(between.(fitting).fits(anchor(t, "approval.submit#1 committed"))).To(Succeed())
	g.Expect(stands(t, "crash")).To(Equal([]string{"validated", "committed"}))
	g.Expect(wrong("crash")).To(Equal([]string{"crash: crash when? Write crash: before-commit or crash: between-commit-and-dedup"}))
	g.Expect(wrong(m("crash", "before-comit"))).To(Equal([]string{"crash: unknown moment \"before-comit\" (did you mean \"before-commit\"?)"}))
}
