package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestRefuseOpensAWindow(t *testing.T) {
	g := NewWithT(t)
	e := effect(t, m("refuse", m("for", "1 attempt_timeout")))
	g.Expect(moves(t, firing(t, e, "approval.submit#1 replied"))).To(Equal([]string{"refuse t-1 approval"}))
	named := effect(t, m("refuse", m("service", "purchase", "until", l("agent escalates"))))
	g.Expect(moves(t, firing(t, named, "agent started"))).To(Equal([]string{"refuse t-1 purchase"}))
	g.Expect(named.String()).To(Equal("refuse: {service: purchase, until: [agent escalates]}"))
	g.Expect(e.(fitting).fits(anchor(t, "agent started"))).To(MatchError("refuse which service? \"agent started\" is no call: add service: approval, say"))
	g.Expect(named.(fitting).fits(anchor(t, "agent started"))).To(Succeed())
	g.Expect(wrong(m("refuse", m("service", "purchases", "for", "1 retention")))).To(Equal([]string{"refuse.service: unknown service \"purchases\" (did you mean \"purchase\"?)"}))
	g.Expect(wrong("refuse")).To(Equal([]string{"refuse: this needs an end: " + refuseUsage}))
}
