package reports_test

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

func TestVerdictTextTellsWhatDecidesFirst(t *testing.T) {
	g := NewWithT(t)
	v := judge.Verdict{
		Outcome: judge.Violation, Reasons: []string{"noise\n" + hostile},
		Findings: []judge.Finding{
			{Rule: "service-rule", Party: judge.Service, Observed: "s"},
			{Rule: "uncertain-rule", Party: judge.Agent, Uncertain: true, Observed: "u"},
			{Rule: "certain-rule", Party: judge.Agent, Observed: hostile},
		},
	}
	text := reports.VerdictText(v)
	g.Expect(text).To(HavePrefix("violation\n  noise "))
	g.Expect(text).To(MatchRegexp(`(?s)\n\ncertain-rule\n.*\n\nuncertain-rule\n.*\n\nservice-rule \(party: service\)\n`))
	g.Expect(strings.Count(text, "\n\n")).To(Equal(3), "no finding opens a line of its own")
	g.Expect(text).NotTo(ContainSubstring("\x1b"))
	g.Expect(v.Findings[0].Rule).To(Equal("service-rule"), "the verdict is left as it was")
}

func TestVerdictTextIsBounded(t *testing.T) {
	g := NewWithT(t)
	var v judge.Verdict
	for i := range 25 {
		v.Reasons = append(v.Reasons, fmt.Sprint("reason ", i))
		v.Findings = append(v.Findings, judge.Finding{Rule: fmt.Sprint("rule-", i), Party: judge.Agent})
	}
	text := reports.VerdictText(v)
	g.Expect(text).To(ContainSubstring("  reason 19\n  and 5 more reasons\n"))
	g.Expect(text).NotTo(ContainSubstring("reason 20\n"))
	g.Expect(text).To(HaveSuffix("\nand 5 more findings\n"))
	g.Expect(text).NotTo(ContainSubstring("rule-20\n"))
}
