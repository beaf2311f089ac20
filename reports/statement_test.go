package reports_test

import (
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

func TestAScenarioThatACorrectDesignBreaksIsToldFromAWrongAgent(t *testing.T) {
	const words = "A correct design breaks a scenario of your own"
	for name, tc := range map[string]struct {
		agent   reports.Agent
		outside bool
		outcome judge.Outcome
		told    bool
	}{
		"the reference, in a team's scenario": {reports.Agent{Kind: reports.KindReference}, true, judge.Violation, true},
		"in one of the catalogue":             {reports.Agent{Kind: reports.KindReference}, false, judge.Violation, false},
		"with a pass":                         {reports.Agent{Kind: reports.KindReference}, true, judge.Pass, false},
		"a defect":                            {reports.Agent{Kind: reports.KindReference, Defect: "new-key"}, true, judge.Violation, false},
		"a team's agent":                      {reports.Agent{Kind: reports.KindCommand}, true, judge.Violation, false},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			r := reports.New()
			r.Agent = tc.agent
			r.Add(reports.Scenario{ID: "mine", Outside: tc.outside, Verdict: judge.Verdict{Outcome: tc.outcome}})
			r.Seal(1)
			g.Expect(strings.Contains(strings.Join(r.Statement().Proves, "\n"), words)).To(Equal(tc.told))
		})
	}
}
