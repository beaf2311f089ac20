package suites

import (
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
)

// declare declares the specs. Ginkgo calls it for each preview and run.
func (s *Suite) declare() {
	if err := s.load(); err != nil {
		ginkgo.It("can be run", s.at, func() { ginkgo.Fail(err.Error()) })
		return
	}
	for _, sc := range s.stock.scenarios {
		ginkgo.It(sc.Title, s.at, labels(sc), func(ctx ginkgo.SpecContext) { s.spec(ctx, sc.ID) })
	}
}

// spec is the body of one spec.
func (s *Suite) spec(ctx ginkgo.SpecContext, id string) {
	result, err := s.Await(ctx, id)
	if err != nil {
		ginkgo.Fail(err.Error())
	}
	if result.Interrupted && result.Verdict.Outcome != judge.Violation { // it shows nothing, and is missing in the report
		ginkgo.Fail("suites: scenario " + id + " was broken off")
	}
	ginkgo.AddReportEntry(entryName, entry{Scenario: run.Reported(result)}, ginkgo.ReportEntryVisibilityNever)
	if dir := string(result.Job.Dir); dir != "" {
		ginkgo.AddReportEntry("evidence", dir, ginkgo.ReportEntryVisibilityFailureOrVerbose)
	}
	if len(result.Lacking) > 0 {
		ginkgo.Skip("not applicable: the agent has no " + strings.Join(result.Lacking, ", "))
	}
	expect := gomega.NewGomega(ginkgo.Fail).Expect
	expect(result).To(HaveNoDuplicateConsequence())
	expect(result).To(FollowTheContract())
	expect(result).To(HaveVerdict(judge.Pass))
}
