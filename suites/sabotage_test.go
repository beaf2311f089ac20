package suites_test

import (
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

func TestADefectiveAgentFailsWithTheFinding(t *testing.T) {
	p := play(t, "defect", "-ginkgo.seed=17")
	p.says(t, 1,
		"Expected no consequence to be there twice by the agent's doing:\n",
		"duplicate-consequence\n",
		"observed: the ledger holds 2 rows of one submission\n",
		"correct: Never sends again without protection",
		"repeat: go test github.com/lostreceipt/lostreceipt/suites -count=1 -run '^TestFixture$' -ginkgo.label-filter lost-receipt-reset -ginkgo.seed 17\n",
		filepath.Join(p.out, "runs/lost-receipt-reset/1"),
		"0 Passed | 1 Failed")

	g := NewWithT(t)
	report, err := reports.Read(reports.Out(p.out).Report())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(report.Outcome).To(Equal(judge.Violation))
	g.Expect(report.Seed).To(Equal(uint64(17)))
	g.Expect(report.Complete()).To(BeFalse(), "one scenario is not the catalogue")
}

func TestOtherViolationsFailWithTheFindingToo(t *testing.T) {
	p := play(t, "quiet defect")
	p.says(t, 1,
		"Expected the agent to follow the recovery contract. The verdict is violation\n",
		"agent-crashed\n",
		"the process ended by itself",
		"0 Passed | 1 Failed")
}

func TestAVacuousScenarioFails(t *testing.T) {
	p := play(t, "vacuous")
	p.says(t, 1, "this verdict decides nothing: vacuous\n", "did not fire: approval.withdraw#1 replied", "0 Passed | 1 Failed")
}

func TestASuiteThatSelectsNoScenarioFails(t *testing.T) {
	p := play(t, "pair", "-ginkgo.label-filter=!fixture", "-ginkgo.focus=x")
	p.says(t, 1, `suites: no scenario of "A fixture" is selected, so nothing would be tested: look at focus, skip and label filter `+
		`(-ginkgo.focus "x" -ginkgo.label-filter "!fixture")`, "--- FAIL: TestFixture")
}

func TestALabelFilterThatCannotBeReadFailsTheTest(t *testing.T) {
	p := play(t, "pair", "-ginkgo.label-filter=C5 && (")
	p.says(t, 1, `suites: label filter "C5 && (": `, `Mismatched '(' - could not find matching ')'. (want an expression such as "C1 && !kill")`,
		"--- FAIL: TestFixture")
}

func TestAPanicFailsItsOwnSpecOnly(t *testing.T) {
	p := play(t, "panic")
	p.says(t, 1, "this verdict decides nothing: harness-error\n", "panic: the adapter's map is nil", filepath.Join(p.out, "runs/refused/1"), "1 Passed | 1 Failed")
}

func TestWhatTheAgentLacksIsSkippedByName(t *testing.T) {
	p := play(t, "lacks", "-ginkgo.v")
	p.says(t, 0, "[SKIPPED] not applicable: the agent has no withdraw\n", "1 Passed | 0 Failed | 0 Pending | 1 Skipped")
}

func TestASuiteOfWhichNothingAppliesFails(t *testing.T) {
	p := play(t, "lacks all")
	p.says(t, 1, "suites: none of the scenarios applies to this agent, so nothing was tested")
}

func TestWhatIsWrongWithTheOptionsFailsTheTest(t *testing.T) {
	for name, want := range map[string]string{
		"misspelt":       `misspelt.yaml:6:9: unknown effect "rest" (did you mean "reset"?)`,
		"lacks nonsense": `suites: unknown capability "withdrew" in Options.Lacks (did you mean "withdraw"?): one of `,
		"no agent":       `suites: no agent to run: set Options.Agent, for example to suites.Command("python3", "adapter.py")`,
		"no program":     `there-is-no-such-program`,
	} {
		t.Run(name, func(t *testing.T) {
			p := play(t, name)
			p.says(t, 1, want)
		})
	}
}

func TestASpecRunsOnceHoweverOftenGinkgoTries(t *testing.T) {
	p := play(t, "quiet defect", "-ginkgo.flake-attempts=3")
	p.says(t, 1, "0 Passed | 1 Failed")
	report, err := reports.Read(reports.Out(p.out).Report())
	g := NewWithT(t)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(report.Scenarios).To(HaveLen(1))
	g.Expect(report.Scenarios[0].Repetitions).To(HaveLen(1))
}

func TestADryRunRunsNothing(t *testing.T) {
	p := play(t, "pair", "-ginkgo.dry-run")
	p.says(t, 0, "Ran 2 of 2 Specs")
	NewWithT(t).Expect(os.ReadDir(p.out)).To(BeEmpty())
}

func TestThePairPasses(t *testing.T) {
	p := play(t, "pair")
	p.says(t, 0, "2 Passed | 0 Failed")
	expectPair(t, p)
}

func TestSelectedScenariosRunAtOnce(t *testing.T) {
	p := play(t, "meeting")
	p.says(t, 0, "2 Passed | 0 Failed")
}

func TestOnlySelectedScenariosRun(t *testing.T) {
	p := play(t, "pair", "-ginkgo.label-filter=refused")
	p.says(t, 0, "1 Passed | 0 Failed | 0 Pending | 1 Skipped")
	entries, err := os.ReadDir(filepath.Join(p.out, "runs"))
	g := NewWithT(t)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(entries).To(HaveLen(1))
	g.Expect(entries[0].Name()).To(Equal("refused"))
}

// The same by several of Ginkgo's processes: one report holds the scenarios of all.
func TestSeveralProcessesMakeOneReport(t *testing.T) {
	self, err := os.Executable()
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	p := prepare(t, "pair", exec.Command("go", "tool", "ginkgo", "-procs=2", "-no-color", self, "--", "-test.run=^TestFixture$"))
	p.start(t)
	p.says(t, 0, "Running in parallel across 2 processes", "2 Passed | 0 Failed")
	expectPair(t, p)
}

// expectPair checks what the fixture "pair" wrote.
func expectPair(t *testing.T, p *played) {
	t.Helper()
	g := NewWithT(t)
	report, err := reports.Read(reports.Out(p.out).Report())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(report.Outcome).To(Equal(judge.Pass))
	g.Expect(report.Agent.Name).To(Equal("ours"))
	g.Expect(report.Agent.Kind).To(Equal(reports.KindCommand))
	g.Expect(report.Seed).To(Equal(uint64(7)))
	g.Expect(report.Selected).To(Equal([]string{"refused", "stopped"}))
	for _, s := range report.Scenarios {
		stored, err := reports.RunDir(filepath.Join(p.out, s.Repetitions[0].Evidence)).Load()
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(stored.Verdict).NotTo(BeNil())
		g.Expect(reports.Compare(*stored.Verdict, s.Verdict)).To(BeEmpty())
	}
	var suite struct {
		Tests int `xml:"tests,attr"`
	}
	text, err := os.ReadFile(reports.Out(p.out).JUnit())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(xml.Unmarshal(text, &suite)).To(Succeed())
	g.Expect(suite.Tests).To(Equal(2))
}

func TestAnInterruptedSuiteSavesWhatItHas(t *testing.T) {
	g := NewWithT(t)
	self, err := os.Executable()
	g.Expect(err).NotTo(HaveOccurred())
	p := prepare(t, "long", exec.Command(self, "-test.run=^TestFixture$", "-ginkgo.no-color"))
	p.start(t)
	<-p.started
	g.Eventually(reports.Out(p.out).Run("no-fault", 1).History()).WithTimeout(time.Minute).Should(BeAnExistingFile())
	g.Expect(p.child.Process.Signal(os.Interrupt)).To(Succeed())
	p.says(t, 1, "Interrupted by User")
	report, err := reports.Read(reports.Out(p.out).Report())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(report.Interrupted.Reason).To(Equal("Interrupted by User"))
	g.Expect(report.Missing()).To(Equal([]string{"no-fault"}))
	g.Expect(report.Outcome).NotTo(Equal(judge.Pass))
}
