package scenario

import (
	"errors"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

func compiled(t testing.TB, name string, l contract.Limits) *Compiled {
	t.Helper()
	c, err := load(t, name).Compile(l)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAScenarioWithoutSettingsHasTheDefaults(t *testing.T) {
	g := NewWithT(t)
	l := contract.Defaults().Scale(0.05)
	c := compiled(t, "approval/lost-receipt.yaml", l)
	g.Expect(c.Limits).To(Equal(l))
	g.Expect(c.Guarantees).To(HaveLen(4))
	g.Expect(c.Guarantees["approval.submit"]).To(Equal(contract.Promise{
		Idempotency: contract.Idempotency{
			Supported: true, Scope: []string{"tenant", "action", "object"}, RetentionMS: 2000, Conflict: "reject",
		},
		Query:            contract.Query{ByRef: true, ByKey: true},
		NoEffectStatuses: []int{403, 409, 422, 429},
		WithdrawStates:   []string{"pending"},
	}))
	g.Expect(c.Services).To(Equal(Services{Approval: Approval{Outcome: "approved", ApproverAfter: 750 * time.Millisecond}}))
	g.Expect(c.Tasks).To(Equal([]Task{{
		ID: "t-1", Type: "purchase-approval", Tenant: "acme", Object: "po-17", OnCancel: "withdraw",
		Confirmations: []Confirmation{{ID: "c-1", Content: DefaultContent()}},
	}}))
	g.Expect(string(c.Tasks[0].Confirmations[0].JSON())).To(Equal(`{"amount":"1200.00","applicant":"u-1","currency":"EUR","item":"measuring bench"}`))
	g.Expect(c.Plan.Faults()).To(HaveLen(1))
	g.Expect(c.Plan.Faults()[0].Effect()).To(Equal("reset"))
	g.Expect(c.Expect).To(Equal(judge.Expect{
		AnyOf: []judge.Ending{{Ends: []string{"completed"}, Consequences: map[string]int{"approval": 1, "notification": 1, "purchase": 1}}},
		Rows:  []string{"unknown-replay-protected", "confirmed-accepted", "settled-approved"},
	}))
	g.Expect(c.Needs).To(Equal([]string{"purchase"}))
}

func TestWhatIsNotPromisedIsNotThere(t *testing.T) {
	g := NewWithT(t)
	c := compiled(t, "approval/stale-empty-late-success.yaml", contract.Defaults())
	g.Expect(c.Guarantees["approval.submit"].Idempotency).To(Equal(contract.Idempotency{}))
	g.Expect(c.Guarantees["approval.submit"].Query.ByKey).To(BeTrue(), "what is not named keeps its default")
	g.Expect(c.Services.Approval.ReplicaLag).To(Equal(30 * time.Second))
	g.Expect(c.Expect.AnyOf).To(HaveLen(2))
	g.Expect(c.Needs).To(BeEmpty(), "an agent that only escalates is fine")
}

func TestLimitsAreMultipliedBeforeDurationsAreResolved(t *testing.T) {
	g := NewWithT(t)
	c := compiled(t, "approval/two-intents.yaml", contract.Defaults())
	g.Expect(c.Limits.VerificationPeriod).To(Equal(2 * time.Minute))
	g.Expect(c.Limits.AttemptTimeout).To(Equal(8 * time.Second))
	g.Expect(c.Services.Approval.ApproverAfter).To(Equal(12 * time.Second))
	g.Expect(c.Services.Approval.Outcome).To(Equal("declined"))
	g.Expect(c.Services.Approval.Breaks).To(Equal([]string{"atomicity"}))
	g.Expect(c.Guarantees["approval.submit"].Idempotency.Retention()).To(Equal(48 * time.Second))
	g.Expect(c.Guarantees["approval.submit"].Void).To(BeTrue())
	g.Expect(c.Expect.Blames).To(Equal(judge.Service))
	g.Expect(c.Expect.Never).To(Equal([]string{"identifier-changed"}))
	g.Expect(c.Needs).To(Equal([]string{"restart", "several", "withdraw"}))
}

func TestContentKeepsItsWrittenText(t *testing.T) {
	g := NewWithT(t)
	tasks := load(t, "approval/two-intents.yaml").Tasks
	g.Expect(tasks).To(HaveLen(2))
	g.Expect(tasks[0].Confirmations[0]).To(Equal(Confirmation{ID: "c-1", Content: DefaultContent()}))
	b := tasks[1]
	g.Expect(b.Object).To(Equal("po-18"))
	g.Expect(b.OnCancel).To(Equal("ask"))
	g.Expect(b.Confirmations[0].ID).To(Equal("c-2"))
	g.Expect(b.Confirmations[0].Content).To(HaveKeyWithValue("amount", "0123"))
	g.Expect(b.Confirmations[0].Content).To(HaveKeyWithValue("note", "1_000"))
	g.Expect(b.Confirmations[0].Content).To(HaveKeyWithValue("currency", "EUR"))
}

func TestARevisionKeepsItsWrittenText(t *testing.T) {
	g := NewWithT(t)
	s, err := Parse("x.yaml", []byte(head+"faults: [{at: approval.submit#1 sent, do: {revise: {amount: 0900, note: 1_0}}}]\n"), Options{})
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(s.Faults[0].Effect()).To(Equal("revise: {amount: 0900, note: 1_0}"))
}

func TestARequestOfSeveralConfirmations(t *testing.T) {
	g := NewWithT(t)
	s, err := Parse("x.yaml", []byte("id: a\ntitle: b\ncovers: [B09]\ntask:\n  type: purchase-approval\n  confirmations:\n    - {content: {amount: null}}\n    - {content: {amount: off}}\ngiven: {on_cancel: keep, approval: {outcome: none, notification_fails: 2}}\n"), Options{})
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(s.Tasks).To(HaveLen(1))
	g.Expect(s.Tasks[0].ID).To(Equal("t-1"))
	g.Expect(s.Tasks[0].OnCancel).To(Equal("keep"))
	g.Expect(s.Tasks[0].Confirmations).To(HaveLen(2))
	g.Expect(s.Tasks[0].Confirmations[1].ID).To(Equal("c-1-2"))
	g.Expect(s.Tasks[0].Confirmations[0].Content["amount"]).To(Equal("null"))
	g.Expect(s.Tasks[0].Confirmations[1].Content["amount"]).To(Equal("off"))
	g.Expect(s.Needs).To(Equal([]string{"notify", "several"}))
	c, err := s.Compile(contract.Defaults())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(c.Services.Approval.Outcome).To(BeEmpty())
}

func TestNeedsFollowFromWhatHappens(t *testing.T) {
	for text, want := range map[string][]string{
		"faults: [{at: approval.submit#1 replied, do: cancel}]":                                         {"withdraw"},
		"given: {on_cancel: ask}\nfaults: [{at: approval.submit#1 replied, do: cancel}]":                nil,
		"faults: [{at: approval.submit#1 sent, do: {revise: {amount: 9}}}]":                             {"revise"},
		"faults: [{at: approval.submit#1 sent, do: reset}, {at: agent escalates, do: {decide: close}}]": {"decisions", "escalate"},
		"faults: [{at: purchase.buy#1 replied, do: reset}]":                                             {"purchase"},
		"expect: {ends: [escalated]}":                                                                   {"escalate"},
		"expect: {ends: [escalated, completed]}":                                                        nil,
	} {
		g := NewWithT(t)
		s, err := Parse("x.yaml", []byte(head+text+"\n"), Options{})
		g.Expect(err).NotTo(HaveOccurred(), text)
		g.Expect(s.Needs).To(Equal(want), text)
	}
}

func TestLimitsThatMakeAScenarioUnsoundAreToldWhenItIsCompiled(t *testing.T) {
	g := NewWithT(t)
	s, err := Parse("x.yaml", []byte(head+"faults:\n  - at: approval.submit#1 sent\n    do: {hold: {for: 4 attempt_timeout}}\n"), Options{})
	g.Expect(err).NotTo(HaveOccurred())
	l := contract.Defaults()
	l.Retention = l.AttemptTimeout
	_, err = s.Compile(l)
	var all *Errors
	g.Expect(errors.As(err, &all)).To(BeTrue())
	g.Expect(all.All()[0].Line).To(Equal(7))
	g.Expect(all.All()[0].Message).To(HavePrefix("this can carry approval.submit#1 sent past the retention"))
}

func TestWhatANotificationTellsOfIsCompiled(t *testing.T) {
	g := NewWithT(t)
	s, err := Parse("x.yaml", []byte("id: x\ntitle: t\ncovers: [B23]\ntask: purchase-approval\ngiven: {approval: {announces: acceptance}}\n"), Options{})
	g.Expect(err).NotTo(HaveOccurred())
	c, err := s.Compile(contract.Defaults())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(c.Services.Approval.Announces).To(Equal("acceptance"))
	g.Expect(Explain(s)).To(ContainSubstring("People are notified of the acceptance, and not of the decision."))
}

func TestSettingsOfTheServicesAreCompiled(t *testing.T) {
	g := NewWithT(t)
	const text = "id: x\ntitle: t\ncovers: [B14]\ntask: purchase-approval\n" +
		"given:\n  breaks: [void]\n  approval: {outcome: none, notification_after: 0.1 verification_period, notification_fails: 2, breaks: [conflict]}\n  purchase: {breaks: [atomicity, refusal]}\n" +
		"faults:\n  - at: approval.submit#1 committed\n    do: {outcome: declined}\n  - at: event declined#1 emitted\n    do: {event: twice}\n"
	s, err := Parse("x.yaml", []byte(text), Options{})
	g.Expect(err).NotTo(HaveOccurred(), "an outcome brings its event about")
	c, err := s.Compile(contract.Defaults().Scale(0.05))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(c.Services).To(Equal(Services{
		Approval: Approval{
			ApproverAfter: 750 * time.Millisecond, NotificationFails: 2, NotificationAfter: 300 * time.Millisecond, Breaks: []string{"conflict", "void"},
		},
		Purchase: Purchase{Breaks: []string{"atomicity", "refusal"}},
	}))
	g.Expect(c.Needs).To(Equal([]string{"notify"}))
}
