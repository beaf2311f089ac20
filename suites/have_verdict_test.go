package suites_test

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/suites"
)

func TestHaveVerdict(t *testing.T) {
	g := NewWithT(t)
	g.Expect(clean()).To(suites.HaveVerdict(judge.Pass))
	g.Expect(clean()).NotTo(suites.HaveVerdict(judge.Violation))
	v := vacuous()
	g.Expect(&v).To(suites.HaveVerdict(judge.Vacuous))
	g.Expect(run.Result{Verdict: broken()}).To(suites.HaveVerdict(judge.Violation))
}

func TestHaveVerdictTellsWhatTheVerdictIs(t *testing.T) {
	g := NewWithT(t)
	g.Expect(failure(vacuous(), suites.HaveVerdict(judge.Pass))).To(Equal("Expected the verdict to be pass. It is " + vacuousText))
	g.Expect(failure(broken(), suites.HaveVerdict(judge.Pass))).To(Equal("Expected the verdict to be pass. It is " + brokenText))
	g.Expect(negated(clean(), suites.HaveVerdict(judge.Pass))).To(Equal("Expected the verdict not to be " + cleanText))
}

func TestHaveVerdictRefusesWhatIsNoOutcomeAndNoVerdict(t *testing.T) {
	g := NewWithT(t)
	_, err := suites.HaveVerdict("passed").Match(clean())
	g.Expect(err).To(MatchError(`HaveVerdict: there is no outcome "passed": one of ` +
		`["violation" "harness-error" "vacuous" "undetermined" "not-applicable" "pass"]`))
	_, err = suites.HaveVerdict(judge.Pass).Match("pass")
	g.Expect(err).To(MatchError("HaveVerdict: want a judge.Verdict or a run.Result, got string"))
	_, err = suites.HaveVerdict(judge.Pass).Match((*judge.Verdict)(nil))
	g.Expect(err).To(MatchError("HaveVerdict: want a judge.Verdict or a run.Result, got *judge.Verdict"))
}
