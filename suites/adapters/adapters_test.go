package adapters_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/reports"
	"github.com/lostreceipt/lostreceipt/scenarios"
	"github.com/lostreceipt/lostreceipt/suites/adapters"
)

// cautious is the scale of a run of the whole catalogue: an interpreter takes a
// while to start, and many start at once on few cores.
const cautious = 0.15

func TestEachAdapterFollowsTheContractInAllThatItDeclares(t *testing.T) {
	for _, a := range adapters.All() {
		t.Run(a.Lang, func(t *testing.T) {
			g := NewWithT(t)
			command := ready(t, a)
			table, err := scenarios.Contract()
			g.Expect(err).NotTo(HaveOccurred())
			catalogue, err := scenario.LoadDir(scenarios.Catalogue, scenario.Options{})
			g.Expect(err).NotTo(HaveOccurred())

			out, err := reports.Prepare(place(t, a))
			g.Expect(err).NotTo(HaveOccurred())
			job := func(s *scenario.Scenario, n int) run.Job {
				return run.Job{
					Scenario: s, Agent: run.Command{Args: command}, Seed: run.Seed(1, s.ID), Lacks: adapters.Lacks(), Dir: out.Run(s.ID, n),
				}
			}
			var jobs []run.Job
			for _, s := range catalogue.All() {
				jobs = append(jobs, job(s, 1))
			}
			passed := map[string]bool{}
			for _, r := range run.All(t.Context(), jobs, run.Shared{Contract: table, Scale: cautious, Concurrency: 48}) {
				s := r.Job.Scenario
				if len(r.Lacking) > 0 {
					continue
				}
				if o := r.Verdict.Outcome; o == judge.Undetermined || o == judge.Vacuous { // others were in its way
					r = run.All(t.Context(), []run.Job{job(s, 2)}, run.Shared{Contract: table, Scale: cautious})[0]
				}
				if passed[s.ID] = r.Verdict.Outcome == judge.Pass; !passed[s.ID] {
					t.Errorf("%s: %s %v\n%+v", s.ID, r.Verdict.Outcome, r.Verdict.Reasons, r.Verdict.Findings)
				}
			}
			g.Expect(len(passed)).To(BeNumerically(">", 140))
			g.Expect(passed).To(HaveKey("acceptance-cancelled-after-notice"))
		})
	}
}

// ready makes an adapter ready to run as lostreceipt init would, and skips the
// test where its language is not installed.
func ready(t *testing.T, a adapters.Adapter) []string {
	t.Helper()
	g := NewWithT(t)
	dir := t.TempDir()
	for _, f := range a.Files {
		g.Expect(os.WriteFile(filepath.Join(dir, f.Name), f.Text, 0o600)).To(Succeed())
	}
	command := append([]string{}, a.Command...)
	if a.Build != nil {
		build := exec.CommandContext(t.Context(), a.Build[0], a.Build[1:]...)
		build.Dir = dir
		said, err := build.CombinedOutput()
		g.Expect(err).NotTo(HaveOccurred(), "%s", said)
		command[0] = filepath.Join(dir, command[0])
		return command
	}
	program, err := exec.LookPath(command[0])
	if err != nil {
		t.Skipf("the %s adapter is not tested: there is no %s here", a.Lang, command[0])
	}
	return []string{program, filepath.Join(dir, command[1])}
}

// place takes the evidence: ADAPTERS_OUT, where that is set.
func place(t *testing.T, a adapters.Adapter) string {
	if out := os.Getenv("ADAPTERS_OUT"); out != "" {
		return filepath.Join(out, a.Lang)
	}
	return filepath.Join(t.TempDir(), "out")
}

func TestNothingElseIsAnAdapter(t *testing.T) {
	g := NewWithT(t)
	_, known := adapters.Named("cobol")
	g.Expect(known).To(BeFalse())
	python, known := adapters.Named("python")
	g.Expect(known).To(BeTrue())
	g.Expect(python.Files).To(HaveExactElements(HaveField("Name", "adapter.py"), HaveField("Name", "recovery.py")))
}
