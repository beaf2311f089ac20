package fault

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// subject promises that submissions are recognised for the retention.
func subject(tasks ...string) Subject {
	l := contract.Defaults()
	if len(tasks) == 0 {
		tasks = []string{"t-1"}
	}
	return Subject{Limits: l, Tasks: tasks, Guarantees: contract.Guarantees{
		"approval.submit": {Idempotency: contract.Idempotency{Supported: true, RetentionMS: float64(l.Retention.Milliseconds())}},
	}}
}

func at(t testing.TB, text string, effects ...any) Fault {
	t.Helper()
	f := Fault{At: anchor(t, text)}
	for _, e := range effects {
		f.Do = append(f.Do, effect(t, e))
	}
	return f
}

func with(f Fault, change func(*Fault)) Fault {
	change(&f)
	return f
}

func optional(f Fault) Fault { return with(f, func(f *Fault) { f.Optional = true }) }

func span(t testing.TB, text string) Span {
	t.Helper()
	s, err := ParseSpan(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func compile(t testing.TB, faults ...Fault) *Plan {
	t.Helper()
	p, problems := Compile(subject(), faults)
	if len(problems) > 0 {
		t.Fatal(texts(problems))
	}
	return p
}

func TestFaultsAreNumberedInTheirOrder(t *testing.T) {
	g := NewWithT(t)
	p := compile(t, at(t, "approval.submit#1 replied", "kill", "reset"), optional(at(t, "approval.query#1 replied", "hang")))
	g.Expect(p.Faults()).To(HaveLen(2))
	g.Expect(p.Faults()[0].ID).To(Equal("f-1"))
	g.Expect(p.Faults()[1].ID).To(Equal("f-2"))
	g.Expect(p.Needs()).To(Equal([]string{"restart"}))
	g.Expect(compile(t).Faults()).To(BeEmpty(), "a control has no faults")
}

func TestAPlanThatCannotBeCarriedOutIsRefused(t *testing.T) {
	holding := func(until ...any) Written { return m("hold", m("until", l(until...), "for", "1 attempt_timeout")) }
	for name, c := range map[string]struct {
		faults []Fault
		want   []string
	}{
		"an effect where it cannot stand": {
			[]Fault{at(t, "approval.submit#1 committed", "reset")},
			[]string{"0.do.0: reset acts on the wire, and at committed the message is inside the service: use sent or replied, or crash for a service that breaks off there"},
		},
		"arguments that do not fit the anchor": {
			[]Fault{at(t, "approval.submit#1 committed", m("crash", "before-commit"))},
			[]string{"0.do.0: crash: before-commit stands at validated, not at committed"},
		},
		"two effects that decide about one message": {
			[]Fault{at(t, "approval.submit#1 replied", "reset", "hang")},
			[]string{"0.do.1: reset and hang both decide what becomes of the message: keep one"},
		},
		"hands behind the end of the message": {
			[]Fault{at(t, "approval.submit#1 replied", "reset", "kill")},
			[]string{"0.do.1: kill is carried out before reset acts on the message: put it before it"},
		},
		"a delayed message": {
			[]Fault{with(at(t, "approval.submit#1 replied", "reset"), func(f *Fault) { f.Delay = span(t, "1 attempt_timeout") })},
			[]string{"0.do.0: reset acts on the message, which is gone after a delay: hold it instead, as in do: [{hold: {for: 1 attempt_timeout}}, ...]"},
		},
		"a first call on a reused connection": {
			[]Fault{with(at(t, "approval.submit#1 replied", "reset"), func(f *Fault) { f.Connection = Reused })},
			[]string{
				"0.connection: the first call of approval.submit is never on a reused connection: use #2 after a 429, say",
				": no fault is sure to be met: at least one must not be optional and must hit the first send of a write, such as approval.submit#1, or a moment that every agent passes (agent started, control.confirmation#1 delivered, an event that is emitted)",
			},
		},
		"a connection of no call": {
			[]Fault{with(at(t, "agent started", "kill"), func(f *Fault) { f.Connection = Fresh })},
			[]string{`0.connection: connection: belongs to a call, and "agent started" is none`},
		},
		"two faults that decide about one message": {
			[]Fault{at(t, "approval.submit#1 replied", "reset"), at(t, "approval.submit#1..2 replied", "hang")},
			[]string{"1.at: fault 1 already does reset to this message: one fault decides what becomes of it"},
		},
		"nothing that is sure to be met": {
			[]Fault{optional(at(t, "approval.submit#1 replied", "reset")), at(t, "approval.query#1 replied", "reset")},
			[]string{": no fault is sure to be met: at least one must not be optional and must hit the first send of a write, such as approval.submit#1, or a moment that every agent passes (agent started, control.confirmation#1 delivered, an event that is emitted)"},
		},
		"a task that is not there": {
			[]Fault{at(t, "t-2/approval.submit#1 replied", "reset")},
			[]string{`0.at: there is no task "t-2": the tasks are t-1 (did you mean "t-1/approval.submit#1 replied"?)`},
		},
		"a phase after the call has ended": {
			[]Fault{at(t, "approval.submit#1 sent", "reset"), at(t, "approval.submit#1 committed", "kill")},
			[]string{`1.at: "approval.submit#1 committed" is never reached: fault 1 does reset at "approval.submit#1 sent", and the call gets no further`},
		},
		"a cancellation that nobody places": {
			[]Fault{at(t, "approval.submit#1 replied", holding("task cancelled"))},
			[]string{`0.do.0.hold.until.0: "task cancelled" is never reached: no fault of this scenario does cancel`},
		},
		"a second start without a kill": {
			[]Fault{at(t, "approval.submit#1 replied", "reset"), at(t, "agent started#2", "cancel")},
			[]string{`1.at: "agent started#2" is never reached: no fault of this scenario does kill or redispatch`},
		},
		"more sends than a correct agent makes": {
			[]Fault{at(t, "approval.submit#1 replied", "reset"), at(t, "approval.submit#4 replied", "reset")},
			[]string{`1.at: "approval.submit#4 replied" is never reached: a correct agent sends approval.submit at most 3 times here`},
		},
		"steps in the wrong order": {
			[]Fault{at(t, "approval.submit#1 replied and then approval.submit#1 sent", "reset")},
			[]string{`0.at: "approval.submit#1 sent" is never reached after "approval.submit#1 replied": it comes before it`},
		},
		"a hold until the held call goes on": {
			[]Fault{at(t, "approval.submit#1 sent", holding("approval.submit#1 replied"))},
			[]string{`0.do.0.hold.until.0: "approval.submit#1 replied" is never reached while that call is held at sent`},
		},
		"a hold until what has passed": {
			[]Fault{at(t, "approval.submit#1 replied", "reset"), at(t, "approval.submit#2 replied", holding("approval.submit#1 sent"))},
			[]string{`1.do.0.hold.until.0: "approval.submit#1 sent" has passed when the hold begins, so it would end at once`},
		},
		"a hold past the retention": {
			[]Fault{at(t, "approval.submit#1 sent", m("hold", m("until", l("approval.query#3 delivered"))))},
			[]string{"0.do.0.hold: this can carry approval.submit#1 sent past the retention of its identifier (5 attempt_timeout, of which 0 attempt_timeout may be gone), and then a second consequence is nobody's fault: add a shorter for:, such as for: 1 attempt_timeout"},
		},
		"a later send held past the retention": {
			[]Fault{at(t, "approval.submit#1 replied", "reset"), at(t, "approval.submit#2 sent", m("hold", m("for", "3 attempt_timeout")))},
			[]string{"1.do.0.hold: this can carry approval.submit#2 sent past the retention of its identifier (5 attempt_timeout, of which 2 attempt_timeout may be gone), and then a second consequence is nobody's fault: add a shorter for:, such as for: 1 attempt_timeout"},
		},
		"a window to an unnamed service": {
			[]Fault{at(t, "agent started", m("refuse", m("for", "1 attempt_timeout")))},
			[]string{`0.do.0: refuse which service? "agent started" is no call: add service: approval, say`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := Compile(subject(), c.faults)
			NewWithT(t).Expect(texts(problems)).To(Equal(c.want))
		})
	}
}

func TestWithSeveralTasksAnAnchorNamesItsTask(t *testing.T) {
	g := NewWithT(t)
	_, problems := Compile(subject("a", "b"), []Fault{at(t, "approval.submit#1 replied", "reset")})
	g.Expect(texts(problems)).To(Equal([]string{
		`0.at: there are several tasks (a, b): say which one "approval.submit#1 replied" is about (did you mean "a/approval.submit#1 replied"?)`,
	}))
	_, problems = Compile(subject("a", "b"), []Fault{at(t, "b/approval.submit#1 replied", "reset")})
	g.Expect(problems).To(BeEmpty())
}

func TestPlansThatAreFine(t *testing.T) {
	unprotected := subject()
	unprotected.Guarantees = nil
	for name, c := range map[string]struct {
		s      Subject
		faults []Fault
	}{
		"a long hold where nothing is promised": {unprotected, []Fault{at(t, "approval.submit#1 sent", m("hold", m("until", l("approval.query#3 delivered"))))}},
		"a short hold where it is":              {subject(), []Fault{at(t, "approval.submit#1 sent", m("hold", m("until", l("approval.query#3 delivered"), "for", "2 attempt_timeout")))}},
		"a held reply":                          {subject(), []Fault{at(t, "approval.submit#1 replied", m("hold", m("until", l("approval.query#3 delivered"))))}},
		"kill, hold and reset in order":         {subject(), []Fault{at(t, "approval.submit#1 committed", "kill"), at(t, "approval.submit#1 replied", m("hold", m("for", "1 attempt_timeout")), "reset")}},
		"a delayed cancellation":                {subject(), []Fault{with(at(t, "approval.submit#1 sent", "cancel"), func(f *Fault) { f.Delay = span(t, "0.5 attempt_timeout") })}},
		"a fourth send after a kill":            {subject(), []Fault{at(t, "approval.submit#1 replied", "kill"), at(t, "approval.submit#4 replied", "reset")}},
		"a rival and an answer":                 {subject(), []Fault{at(t, "approval.submit#1 received", "rival", m("status", m("code", 503)))}},
		"the reused connection after a 429": {subject(), []Fault{
			at(t, "approval.submit#1 received", m("status", m("code", 429, "retry_after", "1 backoff_base"))),
			with(at(t, "approval.submit#2 replied", "reset"), func(f *Fault) { f.Connection = Reused }),
		}},
		"both kinds of connection": {subject(), []Fault{
			at(t, "approval.submit#1 replied", "reset"),
			with(at(t, "approval.submit#2 replied", "reset"), func(f *Fault) { f.Connection = Fresh }),
			with(at(t, "approval.submit#2 replied", "hang"), func(f *Fault) { f.Connection = Reused }),
		}},
		"events that every agent meets": {subject(), []Fault{at(t, "event approved#1 emitted", "kill"), at(t, "control.confirmation#1 delivered", m("revoke", "permission"))}},
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := Compile(c.s, c.faults)
			NewWithT(t).Expect(texts(problems)).To(BeEmpty())
		})
	}
}

func TestACallIsSureToBeMetAsOftenAsEveryAgentMakesIt(t *testing.T) {
	g := NewWithT(t)
	s := Subject{Tasks: []string{"t-1"}, Opens: map[string]int{"knowledge.search_kb": 3, "model.chat": 1}}
	_, problems := Compile(s, []Fault{at(t, "knowledge.search_kb#3 received", "kill")})
	g.Expect(problems).To(BeEmpty())
	_, problems = Compile(s, []Fault{at(t, "knowledge.search_kb#4 received", "kill")})
	g.Expect(texts(problems)).To(ConsistOf(HaveSuffix("or a call that every agent makes here (knowledge.search_kb#1 to #3, model.chat#1)")))
}
