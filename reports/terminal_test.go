package reports_test

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

func TestTextForAPerson(t *testing.T) {
	golden(t, "run.txt", sample().Text(reports.Look{}))
	golden(t, "run-wide.txt", sample().Text(reports.Look{Width: 160}))
	golden(t, "run-pass.txt", passing().Text(reports.Look{}))
	golden(t, "run-color.txt", sample().Text(reports.Look{Width: 80, Color: true}))
}

func TestColoursAreTheOnlyDifference(t *testing.T) {
	for _, r := range []*reports.Report{sample(), passing(), poisoned()} {
		NewWithT(t).Expect(ansi.Strip(r.Text(reports.Look{Color: true}))).To(Equal(r.Text(reports.Look{})))
	}
}

func TestTextStaysWithinItsWidth(t *testing.T) {
	g := NewWithT(t)
	for _, r := range []*reports.Report{sample(), passing(), poisoned()} {
		for _, width := range []int{1, 60, 80, 100, 139, 140, 250} {
			for _, line := range strings.Split(r.Text(reports.Look{Width: width, Color: true}), "\n") {
				if !strings.Contains(line, "repeat:") && !strings.Contains(line, "evidence:") {
					g.Expect(ansi.StringWidth(line)).To(BeNumerically("<=", max(width, 60)), "%q", line)
				}
			}
		}
	}
}

func TestEscapesOfAnAgentNeverReachTheTerminal(t *testing.T) {
	g := NewWithT(t)
	text := poisoned().Text(reports.Look{})
	g.Expect(raw(text)).To(BeEmpty())
	g.Expect(text).To(ContainSubstring(`\x1b[2J\x1b]0;owned\x07`))
	g.Expect(len(text)).To(BeNumerically("<", 1<<20))

	colored := poisoned().Text(reports.Look{Color: true})
	ours := regexp.MustCompile("\x1b\\[[0-9;]*m")
	g.Expect(raw(ours.ReplaceAllString(colored, ""))).To(BeEmpty())
}

func TestACommandToRepeatIsNeverCut(t *testing.T) {
	g := NewWithT(t)
	r := head()
	command := "lostreceipt rerun " + strings.Repeat("x", 500) + " -- python3 adapter.py"
	f := duplicate()
	f.Repeat = command
	r.Add(reports.Scenario{ID: "a", Verdict: judge.Verdict{Outcome: judge.Violation, Findings: []judge.Finding{f}}})
	r.Seal(0)
	g.Expect(r.Text(reports.Look{Width: 60})).To(ContainSubstring(command + "\n"))
}

func TestWhatIsNoTerminalGetsNoColourAndNoLiveLine(t *testing.T) {
	g := NewWithT(t)
	g.Expect(reports.LookOf(&bytes.Buffer{}, []string{"TERM=xterm-256color"})).To(Equal(reports.Look{}))
	f, err := os.Create(t.TempDir() + "/out")
	g.Expect(err).NotTo(HaveOccurred())
	defer f.Close()
	g.Expect(reports.LookOf(f, []string{"TERM=xterm-256color", "CLICOLOR_FORCE=1"})).To(Equal(reports.Look{}))
}

func TestFindingTextSaysEverythingApart(t *testing.T) {
	NewWithT(t).Expect(reports.FindingText(duplicate())).To(Equal(`duplicate-consequence
  observed: two approvals stand in the ledger for one confirmed version: A-1 (key k-1) and A-2 (key k-2)
  records: #14, #31, #44
  party: agent
  concerns: task t-1, intent c-1/1 submit, action resubmit
  row: unknown-queryable
  allowed: void
  demanded: keep-verifying, pause-dependents
  likely cause (inference): the client made a new identifier for its second attempt
  correct: query by the identifier k-1 until the period is over, then escalate
  repeat: lostreceipt rerun lostreceipt-out/runs/lost-receipt/1 -- python3 adapter.py
`))
}

func TestEvidenceThatWasNotSavedIsSaid(t *testing.T) {
	g := NewWithT(t)
	r := head()
	reps := once(judge.Pass, 0, judge.Verdict{}, "a")
	reps[0].Problem = "write history.jsonl: no space left on device"
	r.Add(reports.Scenario{ID: "a", Repetitions: reps})
	r.Seal(0)
	g.Expect(r.Text(reports.Look{})).To(ContainSubstring("repetition 1: write history.jsonl: no space left on device"))
	reps[0].Outcome = judge.HarnessError
	r = head()
	r.Add(reports.Scenario{ID: "a", Repetitions: reps})
	r.Seal(0)
	g.Expect(r.Markdown()).To(ContainSubstring("no space left on device"))
	_, out := parsed(t, r)
	g.Expect(out).To(ContainSubstring("no space left on device"))
}
