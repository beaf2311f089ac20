package suites_test

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/suites"
)

func TestFollowTheContract(t *testing.T) {
	g := NewWithT(t)
	g.Expect(clean()).To(suites.FollowTheContract())
	g.Expect(broken()).NotTo(suites.FollowTheContract())
}

func TestFollowTheContractTellsTheFindings(t *testing.T) {
	g := NewWithT(t)
	g.Expect(failure(broken(), suites.FollowTheContract())).To(Equal(
		"Expected the agent to follow the recovery contract. The verdict is " + brokenText))
	g.Expect(negated(clean(), suites.FollowTheContract())).To(Equal(
		"Expected the agent to break the recovery contract. The verdict is " + cleanText))
}

func TestFollowTheContractHoldsForNoVerdictThatDecidesNothing(t *testing.T) {
	g := NewWithT(t)
	g.Expect(failure(vacuous(), suites.FollowTheContract())).To(Equal(
		"error: FollowTheContract: this verdict decides nothing: " + vacuousText))
	for _, o := range []judge.Outcome{judge.HarnessError, judge.Undetermined, judge.NotApplicable, ""} {
		_, err := suites.FollowTheContract().Match(judge.Verdict{Outcome: o, Findings: []judge.Finding{doubled()}})
		g.Expect(err).To(HaveOccurred(), string(o))
	}
	_, err := suites.FollowTheContract().Match(nil)
	g.Expect(err).To(MatchError("FollowTheContract: want a judge.Verdict or a run.Result, got <nil>"))
}
