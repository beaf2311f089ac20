package run_test

import (
	"context"
	"errors"
	"testing"

	fakeagent "github.com/lostreceipt/lostreceipt/fakes/agent"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"

	. "github.com/onsi/gomega"
)

// function is the reference, or a known-bad variant, as a function.
func function(defect string) run.Function {
	return func(ctx context.Context, url, token string) error {
		return fakeagent.Run(ctx, fakeagent.Options{Defect: defect, URL: url, Token: token})
	}
}

func TestAFunctionIsAnAgent(t *testing.T) {
	s := newStage(t)
	r, records := s.one(t.Context(), run.Job{Scenario: s.catalogued("lost-receipt-reset"), Agent: function("")}, s.shared(0))
	s.Expect(r.Verdict.Outcome).To(Equal(judge.Pass), "%v %v", rulesOf(r), r.Verdict.Reasons)
	s.Expect(ofKind(records, history.ProcessExited)).To(HaveLen(1))
	s.Expect(*ofKind(records, history.ProcessExited)[0].Process).To(Equal(history.Process{ID: "p-1"}), "it returned when there was no more work")

	r, _ = s.one(t.Context(), run.Job{Scenario: s.catalogued("lost-receipt-reset"), Agent: function("new-key"), Dir: s.dir("new-key")}, s.shared(0))
	s.Expect(rulesOf(r)).To(ContainElement("identifier-changed"))
}

func TestWhatAFunctionCannotBeToldIsNotApplicable(t *testing.T) {
	s := newStage(t)
	r := run.All(t.Context(), []run.Job{{Scenario: s.catalogued("killed-twice"), Agent: function("")}}, s.shared(0))[0]
	s.Expect(r.Verdict.Outcome).To(Equal(judge.NotApplicable))
	s.Expect(r.Lacking).To(ConsistOf("restart"))
}

func TestAFunctionThatFailsHasCrashed(t *testing.T) {
	for name, f := range map[string]run.Function{
		"error": func(context.Context, string, string) error { return errors.New("no") },
		"panic": func(context.Context, string, string) error { panic("no") },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			r, records := s.one(t.Context(), run.Job{Scenario: s.catalogued("no-fault"), Agent: f}, s.shared(0))
			s.Expect(rulesOf(r)).To(ContainElement("agent-crashed"))
			s.Expect(ofKind(records, history.ProcessExited)[0].Process.Code).To(Equal(1))
		})
	}
}

func TestAFunctionThatDoesNotEndIsToldTo(t *testing.T) {
	s := newStage(t)
	waits := func(ctx context.Context, _, _ string) error {
		<-ctx.Done()
		return ctx.Err()
	}
	r, records := s.one(t.Context(), run.Job{Scenario: s.catalogued("no-fault"), Agent: run.Function(waits)}, s.shared(0.005))
	s.Expect(r.Reason).To(Equal(run.Deadline))
	s.Expect(ofKind(records, history.ProcessExited)[0].Process.Reason).To(Equal("stopped"))
}
