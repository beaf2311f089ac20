package fault

import (
	"testing"
	"testing/synctest"
	"time"

	. "github.com/onsi/gomega"
)

func async(pairs ...any) Written { return m("create", m("async", m(pairs...))) }

func TestCreateKeepsTheConsequenceUntilItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		in, log := start(t, nil, at(t, "approval.submit#1 validated", async("until", l("approval.query#2 delivered"), "for", "2 attempt_timeout")))
		o := in.At(t.Context(), call("submit", 1, Validated))
		<-o.Wait
		g.Expect(waiting(Order{Wait: o.Later})).To(BeTrue(), "the request is answered, and nothing is created yet")
		g.Expect(in.Holding()).To(Equal([]string{"f-1 create"}))
		in.Observe(t.Context(), call("query", 2, Delivered))
		<-o.Later
		g.Expect(in.Close()).To(BeEmpty())
		g.Expect(receipts(log)[3]).To(Equal("fault.lifted f-1 submit-1 approval.query#2 delivered"))
	})
}

func TestCreateEndsWithItsTimeAndWithTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewWithT(t)
		for _, ends := range []bool{true, false} {
			in, _ := start(t, nil, at(t, "approval.submit#1 validated", async("for", "1 attempt_timeout")))
			began := time.Now()
			o := in.At(t.Context(), call("submit", 1, Validated))
			<-o.Wait
			if ends {
				<-o.Later
				g.Expect(time.Since(began)).To(Equal(8 * time.Second))
			}
			in.Close()
			<-o.Later
		}
	})
}

func TestWhatIsLeftOutDoesNotKeepTheConsequence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, _ := start(t, nil, at(t, "approval.submit#1 validated", "cancel", async("for", "1 attempt_timeout"))) // no hands
		o := in.At(t.Context(), call("submit", 1, Validated))
		<-o.Wait
		<-o.Later
		in.Close()
	})
}

func TestCreateStandsWhereSomethingIsTakenOn(t *testing.T) {
	g := NewWithT(t)
	e := effect(t, async("until", l("approval.query#2 delivered"), "for", "1 attempt_timeout"))
	g.Expect(e.String()).To(Equal("create: {async: {until: [approval.query#2 delivered], for: 1 attempt_timeout}}"))
	g.Expect(stands(t, "create")).To(Equal([]string{"validated"}))
	kind, _ := FindKind("create")
	g.Expect(kind.Stand(anchor(t, "purchase.buy#1 validated"))).To(Succeed())
	g.Expect(kind.Stand(anchor(t, "approval.void#1 validated"))).To(MatchError("create concerns what creates something, and approval.void does not: use approval.submit or purchase.buy"))
	g.Expect(kind.Stand(anchor(t, "approval.submit#1 replied"))).To(MatchError("create comes too late at replied: the service has written its reply; use validated"))
	g.Expect(wrong("create")).To(Equal([]string{"create: create when? Write " + createUsage}))
	g.Expect(wrong(m("create", m("asynch", m())))).To(ContainElement(`create.asynch: unknown field "asynch" (did you mean "async"?)`))
	g.Expect(wrong(async())).To(Equal([]string{"create.async: this needs an end: " + createUsage}))
	g.Expect(wrong(async("for", "1 day"))).To(HaveLen(1))
}

func TestACreationIsNotPutOffPastTheRetention(t *testing.T) {
	_, problems := Compile(subject(), []Fault{at(t, "approval.submit#1 validated", async("until", l("approval.query#2 delivered", "task cancelled")))})
	NewWithT(t).Expect(texts(problems)).To(Equal([]string{
		"0.do.0.create.async: this can carry approval.submit#1 validated past the retention of its identifier (5 attempt_timeout, of which 0 attempt_timeout may be gone), " +
			"and then a second consequence is nobody's fault: add a shorter for:, such as for: 1 attempt_timeout",
		`0.do.0.create.async.until.1: "task cancelled" is never reached: no fault of this scenario does cancel`,
	}))
}

func TestWhatIsCreatedLaterIsCommittedAfterItsReply(t *testing.T) {
	creating := at(t, "approval.submit#1 validated", async("for", "1 attempt_timeout"))
	compile(t, creating, optional(at(t, "approval.submit#1 replied and then approval.submit#1 committed", "cancel")))
	_, problems := Compile(subject(), []Fault{creating, at(t, "approval.submit#1 committed", m("status", m("code", 502)))})
	NewWithT(t).Expect(texts(problems)).To(Equal([]string{
		"1.do.0: status comes too late: fault 1 lets approval.submit#1 be committed after its reply; put it at validated, behind create",
	}))
}
