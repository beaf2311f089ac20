package reports_test

import (
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

func TestSealCountsEveryScenarioOnce(t *testing.T) {
	g := NewWithT(t)
	r := sample()
	g.Expect(r.Totals).To(Equal(reports.Totals{
		Selected: 9, Ran: 8, Pass: 2, Violation: 2, HarnessError: 1, Vacuous: 1, Undetermined: 1, NotApplicable: 1, Missing: 1, Findings: 3,
	}))
	g.Expect(r.Outcome).To(Equal(judge.Violation))
	g.Expect(r.Missing()).To(Equal([]string{"never-ran"}))
	g.Expect(r.Noise).To(Equal(3 * time.Millisecond))
	g.Expect(r.Scenarios[0].ID).To(Equal("approver-declines"), "scenarios are in the order of their ids")
}

func TestARepetitionSaysByWhichRulesItWasViolated(t *testing.T) {
	g := NewWithT(t)
	violated := func(n int, hidden judge.Outcome, findings ...judge.Finding) reports.Repetition {
		return reports.Repetition{N: n, Outcome: judge.Violation, Verdict: judge.Verdict{Outcome: judge.Violation, Hidden: hidden, Findings: findings}}
	}
	one := judge.Finding{Rule: "one", Party: judge.Agent}
	unsure := judge.Finding{Rule: "unsure", Party: judge.Agent, Uncertain: true}
	other := judge.Finding{Rule: "other", Party: judge.Service}
	var r reports.Report
	r.Add(reports.Scenario{ID: "held", Repetitions: []reports.Repetition{
		violated(1, judge.Pass, one, unsure), violated(2, judge.Vacuous, one, other, one), {N: 3, Outcome: judge.Pass, Verdict: judge.Verdict{Outcome: judge.Pass}},
	}})
	reps := r.Scenarios[0].Repetitions
	g.Expect(reps[0].Rules).To(Equal([]string{"one"}))
	g.Expect(reps[1].Rules).To(Equal([]string{"one", "other"}))
	g.Expect([]judge.Outcome{reps[0].Hidden, reps[1].Hidden, reps[2].Hidden}).To(Equal([]judge.Outcome{judge.Pass, judge.Vacuous, ""}))
	g.Expect(reps[2].Rules).To(BeEmpty())
}

func TestVerdictOfRepetitionsIsTheFirstOfTheWorst(t *testing.T) {
	g := NewWithT(t)
	r := sample()
	s := r.Scenarios[5]
	g.Expect(s.ID).To(Equal("shaky"))
	g.Expect(s.Verdict.Outcome).To(Equal(judge.Violation))
	g.Expect(s.Verdict.Findings).To(HaveLen(1))
	g.Expect(s.Duration).To(Equal(3 * time.Second))
	g.Expect(s.Stable()).To(BeFalse())
}

func TestFindingsOfAServiceDoNotMakeAPassAViolation(t *testing.T) {
	g := NewWithT(t)
	r := head()
	r.Selected = []string{"a"}
	r.Add(reports.Scenario{ID: "a", Verdict: judge.Verdict{Outcome: judge.Pass, Findings: []judge.Finding{{Rule: "promise-broken", Party: judge.Service}}}})
	r.Seal(0)
	g.Expect(r.Outcome).To(Equal(judge.Pass))
	g.Expect(r.Totals.Findings).To(Equal(1))
}

func TestASecondResultOfAScenarioJoinsTheFirst(t *testing.T) {
	g := NewWithT(t)
	r := head()
	for n, o := range []judge.Outcome{judge.Violation, judge.Pass} {
		r.Add(reports.Scenario{ID: "a", Repetitions: []reports.Repetition{{N: n + 1, Outcome: o, Duration: time.Second}}})
	}
	g.Expect(r.Scenarios).To(HaveLen(1))
	g.Expect(r.Scenarios[0].Repetitions).To(HaveLen(2))
	g.Expect(r.Scenarios[0].Verdict.Outcome).To(Equal(judge.Violation))
	g.Expect(r.Scenarios[0].Duration).To(Equal(2 * time.Second))
}

func TestAPartOfARunIsNeverAPass(t *testing.T) {
	pass := reports.Scenario{ID: "a", Verdict: judge.Verdict{Outcome: judge.Pass}}
	for name, tc := range map[string]struct {
		change func(*reports.Report)
		want   judge.Outcome
	}{
		"whole":              {func(*reports.Report) {}, judge.Pass},
		"interrupted":        {func(r *reports.Report) { r.Interrupted = &reports.Interruption{Reason: "interrupt"} }, judge.Undetermined},
		"one without result": {func(r *reports.Report) { r.Selected = append(r.Selected, "b") }, judge.Undetermined},
		"no scenario":        {func(r *reports.Report) { r.Scenarios = nil }, judge.Vacuous},
		"unknown outcome":    {func(r *reports.Report) { r.Scenarios[0].Verdict.Outcome = "fine" }, judge.HarnessError},
		"nothing applicable": {func(r *reports.Report) { r.Scenarios[0].Verdict.Outcome = judge.NotApplicable }, judge.NotApplicable},
	} {
		t.Run(name, func(t *testing.T) {
			r := head()
			r.Selected = []string{"a"}
			r.Add(pass)
			tc.change(r)
			r.Seal(0)
			NewWithT(t).Expect(r.Outcome).To(Equal(tc.want))
		})
	}
}

func TestCompletenessCountsOnlyTheCatalogue(t *testing.T) {
	g := NewWithT(t)
	g.Expect(passing().Complete()).To(BeTrue())
	r := passing()
	r.Scenarios[0].Outside = true
	g.Expect(r.Complete()).To(BeFalse())
	g.Expect(sample().Complete()).To(BeFalse())
}

func TestWhatIsNotApplicableIsListedByName(t *testing.T) {
	g := NewWithT(t)
	r := sample()
	g.Expect(r.NotApplicable).To(Equal([]reports.Lacking{{Capability: "withdraw", Scenarios: []string{"withdraw-late"}}}))

	r = passing()
	r.Agent.Lacks = []string{"mcp"}
	r.Seal(0)
	g.Expect(r.NotApplicable).To(Equal([]reports.Lacking{{Capability: "mcp", Scenarios: []string{}}}), "also when no scenario needs it")
}

func TestAssumedGuaranteesAreSaidInWords(t *testing.T) {
	g := NewWithT(t)
	r := sample()
	g.Expect(r.Assumed).To(HaveLen(2))
	g.Expect(r.Assumed[0].Operation).To(Equal("approval.submit"))
	g.Expect(r.Assumed[0].Scenarios).To(Equal([]string{"approver-declines", "lost-receipt", "no-fault"}))
	g.Expect(r.Assumed[0].Words).To(Equal("recognises a repeated identifier within tenant, action, object for 40s at time scale 1 and refuses it with other content; " +
		"can be looked up by reference and by identifier; has had no effect when it answers 403, 409, 422, 429; accepts a withdrawal while pending"))
	g.Expect(r.Assumed[1].Words).To(Equal("does not recognise a repeated identifier; can be looked up by identifier"))
	g.Expect(r.Assumption).To(ContainSubstring("production must verify"))
}

func TestAReportLeavesOutWhatTheEvidenceKeeps(t *testing.T) {
	g := NewWithT(t)
	f := duplicate()
	f.Observed, f.Records = strings.Repeat("日", 10_000), make([]int, 1000)
	v := judge.Verdict{Outcome: judge.Violation, Reasons: []string{"first"}}
	for range 60 {
		v.Findings = append(v.Findings, f)
	}
	r := head()
	r.Add(reports.Scenario{ID: "a", Verdict: v})
	r.Seal(0)
	got := r.Scenarios[0].Verdict
	g.Expect(got.Findings).To(HaveLen(50))
	g.Expect(got.Reasons).To(Equal([]string{"first", "10 more findings stand in verdict.json"}))
	g.Expect(got.Findings[0].Observed).To(Equal(strings.Repeat("日", 2730)+"…"), "characters stay whole")
	g.Expect(got.Findings[0].Records).To(HaveLen(200))
	g.Expect(v.Findings[0].Records).To(HaveLen(1000), "the verdict itself is not changed")
}
