package suites_test

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/suites"
)

func TestHaveNoDuplicateConsequence(t *testing.T) {
	g := NewWithT(t)
	g.Expect(clean()).To(suites.HaveNoDuplicateConsequence())
	g.Expect(broken()).NotTo(suites.HaveNoDuplicateConsequence())
	g.Expect(judge.Verdict{Outcome: judge.Violation, Findings: []judge.Finding{changed()}}).To(suites.HaveNoDuplicateConsequence())
}

func TestHaveNoDuplicateConsequenceBlamesNobodyForWhatOthersDid(t *testing.T) {
	g := NewWithT(t)
	f := doubled()
	f.Party = judge.Scenario
	g.Expect(judge.Verdict{Outcome: judge.Pass, Findings: []judge.Finding{f}}).To(suites.HaveNoDuplicateConsequence())
	f = doubled()
	f.Uncertain = true
	g.Expect(judge.Verdict{Outcome: judge.Violation, Findings: []judge.Finding{f, changed()}}).To(suites.HaveNoDuplicateConsequence())
}

func TestHaveNoDuplicateConsequenceTellsTheFindings(t *testing.T) {
	g := NewWithT(t)
	v := broken()
	v.Findings = append(v.Findings, doubled())
	g.Expect(failure(v, suites.HaveNoDuplicateConsequence())).To(Equal(
		"Expected no consequence to be there twice by the agent's doing:\n\n" + doubledText + "\n\n" + doubledText))
	g.Expect(negated(clean(), suites.HaveNoDuplicateConsequence())).To(Equal(
		"Expected a consequence to be there twice by the agent's doing, and none is"))
}

func TestHaveNoDuplicateConsequenceHoldsForNoVerdictThatDecidesNothing(t *testing.T) {
	g := NewWithT(t)
	g.Expect(failure(vacuous(), suites.HaveNoDuplicateConsequence())).To(Equal(
		"error: HaveNoDuplicateConsequence: this verdict decides nothing: " + vacuousText))
}

// The rule must be there under the name that the matcher looks for.
func TestTheRuleOfDuplicateConsequencesExists(t *testing.T) {
	var ids []string
	for _, r := range judge.Rules() {
		ids = append(ids, r.ID)
	}
	NewWithT(t).Expect(ids).To(ContainElement("duplicate-consequence"))
}
