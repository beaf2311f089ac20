package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestReplyIsNotWhatTheServiceKnows(t *testing.T) {
	g := NewWithT(t)
	for _, name := range mannerNames() {
		e := effect(t, m("reply", name))
		g.Expect(e.String()).To(Equal("reply: " + name))
		g.Expect(e.Words()).To(HavePrefix("the service answers "))
	}
	g.Expect(firing(t, effect(t, m("reply", "stale")), "approval.query#1 received").Order).To(Equal(Order{Conduct: Conduct{Distortion: Stale}}))
	g.Expect(wrong("reply")).To(Equal([]string{"reply: which reply? Write one of empty, stale, queue, wrong-instance, duplicate"}))
	g.Expect(wrong(m("reply", "wrong instance"))).To(Equal([]string{`reply: unknown reply "wrong instance" (did you mean "wrong-instance"?)`}))
}

func TestAReplyStandsWhereItsCallCanAnswerSo(t *testing.T) {
	const lists = "approval.query, approval.search, purchase.query"
	for _, c := range []struct{ how, at, want string }{
		{"empty", "approval.query#2 received", ""},
		{"empty", "approval.submit#1 committed", ""},
		{"empty", "desk.escalate#1 committed", ""},
		{"empty", "approval.submit#1 received", "reply: empty stands at committed, not at received: until then approval.submit has nothing to answer"},
		{"empty", "approval.track#1 received", "reply: empty does not fit approval.track: a record that is not there is answered by status: {code: 404}; it fits " +
			lists + ", approval.submit, approval.withdraw, approval.notify, approval.void, purchase.buy, desk.escalate, " +
			"knowledge.search_kb, knowledge.kb_cache, knowledge.kb_archive, knowledge.search_web, knowledge.delete_record, knowledge.archive_record, knowledge.issue_refund, model.chat"},
		{"stale", "approval.track#1 received", ""},
		{"stale", "approval.withdraw#1 committed", ""},
		{"stale", "purchase.buy#1 committed", "reply: stale does not fit purchase.buy: it shows nothing that changes; it fits " +
			lists + ", approval.submit, approval.withdraw, approval.notify, approval.track"},
		{"queue", "approval.submit#1 validated", ""},
		{"queue", "purchase.buy#1 committed", ""},
		{"queue", "approval.submit#1 received", "reply: queue stands at validated or committed, not at received"},
		{"queue", "approval.withdraw#1 committed", "reply: queue does not fit approval.withdraw: there is nothing that a gateway could queue; it fits approval.submit, purchase.buy"},
		{"wrong-instance", "approval.query#1 received", ""},
		{"wrong-instance", "approval.search#1 received", "reply: wrong-instance does not fit approval.search: it shows no record that was asked for by name; " +
			"it fits approval.submit, approval.withdraw, approval.notify, approval.query, approval.track, purchase.query, purchase.buy"},
		{"duplicate", "purchase.query#1 received", ""},
		{"duplicate", "approval.submit#1 committed", "reply: duplicate does not fit approval.submit: it does not answer with a list; it fits " + lists},
	} {
		err := effect(t, m("reply", c.how)).(fitting).fits(anchor(t, c.at))
		if c.want == "" {
			NewWithT(t).Expect(err).NotTo(HaveOccurred(), c.at)
			continue
		}
		NewWithT(t).Expect(err).To(MatchError(c.want))
	}
	NewWithT(t).Expect(stands(t, "reply")).To(Equal([]string{"received", "validated", "committed"}))
}

func TestARequestThatAGatewayQueuedGoesNoFurtherUnlessItIsCreatedLater(t *testing.T) {
	g := NewWithT(t)
	later := optional(at(t, "approval.submit#1 committed", "kill"))
	_, problems := Compile(subject(), []Fault{at(t, "approval.submit#1 validated", m("reply", "queue")), later})
	g.Expect(texts(problems)).To(Equal([]string{
		`1.at: "approval.submit#1 committed" is never reached: fault 1 does reply at "approval.submit#1 validated", and the call gets no further`,
	}))
	compile(t, at(t, "approval.submit#1 validated", m("create", m("async", m("for", "1 attempt_timeout"))), m("reply", "queue")), later)
}
