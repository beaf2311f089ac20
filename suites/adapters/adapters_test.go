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

// basic is the part of the catalogue that any agent must get right first.
var basic = []string{
	"no-fault", "approval/lost-receipt-*", "approval/lost-request-*", "approval/lost-purchase-*", "approval/kill-before-*", "rate-limited", "refused", "refused-connections",
	"declined", "cancel-before-send", "cancel-late-receipt", "never-arrives", "stale-empty-late-success", "notification-failed",
	"withdrawal-request-lost", "dripping-receipt", "killed-twice", "identifier-conflict", "preview-only", "revoked-before-send", "stopped",
}

func TestEachAdapterFollowsTheContractOnTheBasicPart(t *testing.T) {
	for _, a := range adapters.All() {
		t.Run(a.Lang, func(t *testing.T) {
			g := NewWithT(t)
			command := ready(t, a)
			table, err := scenarios.Contract()
			g.Expect(err).NotTo(HaveOccurred())
			catalogue, err := scenario.LoadDir(scenarios.Catalogue, scenario.Options{})
			g.Expect(err).NotTo(HaveOccurred())
			selected, err := catalogue.Select(basic...)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(len(selected)).To(BeNumerically(">", 20))

			out, err := reports.Prepare(place(t, a))
			g.Expect(err).NotTo(HaveOccurred())
			var jobs []run.Job
			for _, s := range selected {
				jobs = append(jobs, run.Job{
					Scenario: s, Agent: run.Command{Args: command}, Seed: run.Seed(1, s.ID), Lacks: adapters.Lacks(), Dir: out.Run(s.ID, 1),
				})
			}
			// An interpreter takes a while to start, and all start at once on few cores.
			for _, r := range run.All(t.Context(), jobs, run.Shared{Contract: table, Scale: 0.15, Concurrency: 12}) {
				g.Expect(r.Lacking).To(BeEmpty(), r.Job.Scenario.ID)
				if r.Verdict.Outcome != judge.Pass {
					t.Errorf("%s: %s %v\n%+v", r.Job.Scenario.ID, r.Verdict.Outcome, r.Verdict.Reasons, r.Verdict.Findings)
				}
			}
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
