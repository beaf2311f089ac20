package suites_test

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/suites"
)

func TestHaveFinding(t *testing.T) {
	g := NewWithT(t)
	g.Expect(broken()).To(suites.HaveFinding("identifier-changed"))
	g.Expect(broken()).To(suites.HaveFinding("dedup-not-atomic"))
	g.Expect(clean()).NotTo(suites.HaveFinding("identifier-changed"))
}

func TestHaveFindingTellsWhatIsThere(t *testing.T) {
	g := NewWithT(t)
	g.Expect(failure(broken(), suites.HaveFinding("fabricated-success"))).To(Equal(
		"Expected a finding of the rule fabricated-success. The verdict is " + brokenText))
	g.Expect(negated(broken(), suites.HaveFinding("identifier-changed"))).To(Equal(
		"Expected no finding of the rule identifier-changed:\n\n" + changedText))
}

func TestHaveFindingRefusesAnUnknownRule(t *testing.T) {
	g := NewWithT(t)
	g.Expect(failure(clean(), suites.HaveFinding("identifer-changed"))).To(Equal(
		`error: HaveFinding: there is no rule "identifer-changed" (did you mean "identifier-changed"?); lostreceipt list rules names them all`))
}

func TestHaveFindingTakesNoAbsenceFromAVerdictThatDecidesNothing(t *testing.T) {
	g := NewWithT(t)
	g.Expect(failure(vacuous(), suites.HaveFinding("identifier-changed"))).To(Equal(
		"error: HaveFinding: this verdict decides nothing: " + vacuousText))
	v := vacuous()
	v.Findings = []judge.Finding{changed()}
	g.Expect(v).To(suites.HaveFinding("identifier-changed"))
}
