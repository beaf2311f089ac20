package fault

import (
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

func TestAServiceIsKilledAndStartedAgain(t *testing.T) {
	g := NewWithT(t)
	f := firing(t, effect(t, "kill-service"), "approval.submit#1 committed")
	g.Expect(moves(t, f)).To(Equal([]string{"kill-service approval"}))
	g.Expect(f.steps[0].window).To(BeNil(), "it is started again at once")
	e := effect(t, m("kill-service", m("down_for", "0.5 attempt_timeout")))
	f = firing(t, e, "purchase.buy#1 committed")
	g.Expect(moves(t, f)).To(Equal([]string{"kill-service purchase"}))
	g.Expect(f.steps[0].window.For.Of(f.Limits)).To(Equal(4 * time.Second))
	g.Expect(e.String()).To(Equal("kill-service: {down_for: 0.5 attempt_timeout}"))
	g.Expect(wrong(m("kill-service", "2 attempt_timeout"))).To(Equal([]string{"kill-service: this takes a map of down_for, not \"2 attempt_timeout\""}))
}

func TestAServiceStandsStillOrIsCutOffForAWhile(t *testing.T) {
	g := NewWithT(t)
	for _, name := range []string{"pause-service", "isolate-service"} {
		f := firing(t, effect(t, m(name, "2 attempt_timeout")), "approval.submit#1 received")
		g.Expect(moves(t, f)).To(Equal([]string{name + " approval"}))
		g.Expect(f.steps[0].window.For.Of(f.Limits)).To(Equal(16 * time.Second))
		g.Expect(wrong(name)).To(Equal([]string{name + ": for how long? Write " + name + ": 2 attempt_timeout"}))
	}
}

func TestAnOutageStandsWhereTheServiceHasOneRequestAndNeedsProcesses(t *testing.T) {
	g := NewWithT(t)
	for _, how := range []Outage{Killed, Frozen, Isolated} {
		kind, ok := FindKind(string(how))
		g.Expect(ok).To(BeTrue())
		g.Expect(kind.Needs).To(Equal([]string{Processes}))
		g.Expect(kind.Stand(anchor(t, "approval.submit#1 committed"))).To(Succeed())
		g.Expect(kind.Stand(anchor(t, "approval.submit#1 sent"))).To(MatchError(string(how) + " comes too early at sent: the service does not have the request; use received or validated or committed"))
		g.Expect(kind.Stand(anchor(t, "approval.submit#1..2 committed"))).To(MatchError(string(how) + " happens to one process at one moment: name one ordinal"))
	}
}
