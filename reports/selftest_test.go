package reports_test

import (
	"encoding/xml"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

func matrix() *reports.SelfTest {
	return &reports.SelfTest{
		Designs: []reports.Design{{Name: "query-first", Outcome: judge.Pass, Scenarios: 24}, {Name: "replay-first", Outcome: judge.Pass, Scenarios: 24}},
		Kills: []reports.Kill{
			{Defect: "new-key", Rule: "identifier-changed", Scenario: "lost-receipt", Result: reports.Killed, Rules: []string{"identifier-changed", "duplicate-consequence"}},
			{Defect: "new-key", Rule: "identifier-changed", Scenario: "no-fault", Result: reports.Void},
			{Defect: "blind-retry", Rule: "resubmit-without-basis", Scenario: "lost-receipt", Result: reports.Killed},
		},
	}
}

func TestSelfTestOfAJudgeThatBites(t *testing.T) {
	g := NewWithT(t)
	g.Expect(matrix().Problems()).To(BeEmpty())
	golden(t, "selftest.txt", matrix().Text(reports.Look{}))
}

func TestSelfTestSaysWhatIsNotProven(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*reports.SelfTest)
		want   string
	}{
		"empty": {func(s *reports.SelfTest) { *s = reports.SelfTest{} }, "the self-test is empty: it needs at least one correct design and one defect"},
		"a design that is not clean": {func(s *reports.SelfTest) {
			s.Designs[1].Outcome = judge.Violation
			s.Designs[1].Problems = []string{"lost-receipt: backoff-flat"}
		}, "correct design replay-first is not clean: violation: lost-receipt: backoff-flat"},
		"killed for another reason": {func(s *reports.SelfTest) {
			s.Kills[2].Result, s.Kills[2].Rules = reports.WrongReason, []string{"backoff-flat"}
		}, "defect blind-retry is not killed by resubmit-without-basis; wrong-reason in lost-receipt; rules that fired: backoff-flat"},
		"a fault that it never met": {func(s *reports.SelfTest) { s.Kills[2].Result = reports.Void }, "defect blind-retry is not killed by resubmit-without-basis; void in lost-receipt"},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			s := matrix()
			tc.change(s)
			g.Expect(s.Problems()).To(Equal([]string{tc.want}))
			g.Expect(s.Text(reports.Look{Width: 300})).To(ContainSubstring(tc.want))
			g.Expect(s.Text(reports.Look{Width: 300})).NotTo(ContainSubstring("The judge bites"))
		})
	}
}

func TestSelfTestStandsInTheReport(t *testing.T) {
	g := NewWithT(t)
	r := passing()
	r.SelfTest = matrix()
	g.Expect(r.Text(reports.Look{})).To(ContainSubstring("The judge bites"))

	r.SelfTest = bitten()
	golden(t, "selftest.md", r.Markdown())
	out, err := r.JUnit()
	g.Expect(err).NotTo(HaveOccurred())
	golden(t, "selftest.xml", string(out))
	var doc suites
	g.Expect(xml.Unmarshal(out, &doc)).To(Succeed())
	g.Expect(doc.Suites).To(HaveLen(2))
	fate := map[string]bool{}
	for _, c := range doc.Suites[1].Cases {
		fate[c.Name] = c.Failure == nil
	}
	g.Expect(fate).To(Equal(map[string]bool{
		"correct design reference is clean": true, "defect new-key is killed by identifier-changed": true, "defect no-jitter is killed by backoff-flat": false,
	}))
	g.Expect([]int{doc.Suites[1].Tests, doc.Suites[1].Failures}).To(Equal([]int{3, 1}))

	r.SelfTest = &reports.SelfTest{}
	out, err = r.JUnit()
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(string(out)).To(ContainSubstring(`failures="1"`), "an empty self-test is not green")
	g.Expect(r.Markdown()).To(ContainSubstring("the self-test is empty"))
}
