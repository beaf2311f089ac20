package reports_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

// history of a run that is stored with the timeline's tests.
func storedHistory(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("timeline", "testdata", name+".jsonl"))
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	return text
}

// evidence puts a history where a run would.
func evidence(t *testing.T, out reports.Out, id string, text []byte) {
	t.Helper()
	dir := out.Run(id, 1)
	NewWithT(t).Expect(dir.Create()).To(Succeed())
	NewWithT(t).Expect(os.WriteFile(dir.History(), text, 0o644)).To(Succeed())
}

// changed is the finding that the stored history of lost-receipt shows.
func changed() judge.Finding {
	return judge.Finding{
		Rule: "identifier-changed", Party: judge.Agent, Task: "t-1", Intent: "submission of c-1 version 1", Row: "unknown-replay-protected", Action: "resubmit",
		Observed: "sent again as \"UQH3\"; it was sent before as \"YZJB\"", Records: []int{8, 22}, Allowed: []string{"replay"},
		Cause: "the identifier is made for each attempt", Correct: "Uses one identifier for one confirmed version.",
		Repeat: "lostreceipt run lost-receipt --seed 1 -- python3 adapter.py",
	}
}

func cells(rows ...string) (list []judge.Cell) {
	for _, row := range rows {
		list = append(list, judge.Cell{Row: row}, judge.Cell{Row: row, Phase: "replied", Effect: "reset"}, judge.Cell{Row: row, Phase: "sent", Effect: "cancel, hold: {for: 1s}"})
	}
	return list
}

// failing has two violations with their histories, two passes and one vacuous scenario.
func failing(t *testing.T) (reports.Out, *reports.Report) {
	out := prepared(t)
	r := head()
	r.Contract.Rows = []reports.Row{
		{ID: "first-send", Summary: "nothing was sent yet", Allow: []string{"submit"}, Must: []string{"check-authorization"}},
		{ID: "unknown-replay-protected", Summary: "the outcome is unknown; a replay is safe", Allow: []string{"replay", "void"}},
		{ID: "stopped", Summary: "the run's own guard has stopped the task"},
	}
	r.Catalogue.Count = 5
	add := func(id, title, evidenceName string, outcome judge.Outcome, v judge.Verdict) {
		v.Ends, v.Counts, v.Calls = []string{"completed"}, map[string]int{"approval": 1}, 7
		r.Selected = append(r.Selected, id)
		r.Add(reports.Scenario{ID: id, Title: title, Covers: []string{"C1"}, Guarantees: guarantees(), Repetitions: once(outcome, time.Second, v, id)})
		evidence(t, out, id, storedHistory(t, evidenceName))
	}
	add("lost-receipt", "The approval is created; a reset takes the receipt away", "lost-receipt", judge.Violation,
		judge.Verdict{Findings: []judge.Finding{changed(), duplicate()}, Cells: cells("first-send", "unknown-replay-protected")})
	add("held", "Cancelled while the request is held", "held", judge.Violation,
		judge.Verdict{Findings: []judge.Finding{changed()}, Cells: cells("first-send")})
	add("no-fault", "Nothing breaks", "held", judge.Pass, judge.Verdict{Cells: cells("first-send")[:1]})
	add("declined", "The approver says no", "held", judge.Pass, judge.Verdict{})
	add("third-query", "A fault at the third query", "held", judge.Vacuous, judge.Verdict{Reasons: []string{"fault f-1 (approval.query#3 delivered: reset) did not fire"}})
	r.SelfTest = bitten()
	r.Seal(5 * time.Second)
	NewWithT(t).Expect(out.Save(r)).To(Succeed())
	return out, r
}

// bitten is a self-test with a kill, a survivor and a void.
func bitten() *reports.SelfTest {
	return &reports.SelfTest{
		Designs: []reports.Design{{Name: "reference", Outcome: judge.Pass, Scenarios: 24}},
		Kills: []reports.Kill{
			{Defect: "new-key", Rule: "identifier-changed", Scenario: "lost-receipt", Result: reports.Killed, Rules: []string{"identifier-changed"}},
			{Defect: "new-key", Rule: "identifier-changed", Scenario: "no-fault", Result: reports.Void},
			{Defect: "no-jitter", Rule: "backoff-flat", Scenario: "lost-receipt", Result: reports.Survived},
		},
	}
}

// large is a run of n scenarios, of which every tenth is a violation.
func large(t *testing.T, n int) (reports.Out, *reports.Report) {
	t.Helper()
	out := prepared(t)
	r := head()
	r.Catalogue.Count = n
	lost, held := storedHistory(t, "lost-receipt"), storedHistory(t, "held")
	for n := range n {
		id := fmt.Sprintf("scenario-%04d", n)
		v, outcome, text := judge.Verdict{Cells: cells("first-send"), Counts: map[string]int{"approval": 1}}, judge.Pass, held
		if n%10 == 3 {
			v.Findings, outcome, text = []judge.Finding{changed(), duplicate()}, judge.Violation, lost
		}
		if n%2 == 0 {
			text = lost
		}
		r.Selected = append(r.Selected, id)
		r.Add(reports.Scenario{ID: id, Title: fmt.Sprintf("The approval number %d is created; the network breaks before the receipt returns", n), Covers: []string{"C1", "B04"}, Guarantees: guarantees(), Repetitions: once(outcome, time.Second, v, id)})
		evidence(t, out, id, text)
	}
	r.Seal(time.Minute)
	NewWithT(t).Expect(out.Save(r)).To(Succeed())
	return out, r
}

// poisonedHistory is a history in which an agent put hostile strings everywhere.
func poisonedHistory(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history.jsonl")
	f, err := os.Create(path)
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	log := history.NewLog(f)
	w := &history.Wire{Service: hostile, Operation: hostile, Key: hostile, Path: hostile, Body: hostile, Method: hostile, Conn: hostile}
	facts := &history.Facts{Ref: hostile, Status: hostile}
	log.Append(history.Record{Kind: history.RunStarted, Run: &history.Run{Scenario: hostile}})
	for _, k := range []history.Kind{history.CallSent, history.CallReplied, history.LedgerRow, history.ControlClaim, history.ControlResult, history.ControlRefused, history.FaultFired, history.RunEnded} {
		log.Append(history.Record{
			Kind: k, Task: hostile, Work: hostile, Call: hostile, Wire: w, Facts: facts, Ledger: &history.Ledger{Service: hostile, Effect: hostile},
			Control: &history.Control{State: hostile, Reason: hostile, Problem: hostile}, Fault: &history.Fault{ID: hostile, Effect: hostile, Anchor: hostile}, Run: &history.Run{Reason: hostile},
		})
	}
	NewWithT(t).Expect(log.Err()).NotTo(HaveOccurred())
	NewWithT(t).Expect(f.Close()).To(Succeed())
	text, err := os.ReadFile(path)
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	return text
}
