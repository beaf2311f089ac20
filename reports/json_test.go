package reports_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

func encoded(t *testing.T, r *reports.Report) string {
	t.Helper()
	var out bytes.Buffer
	NewWithT(t).Expect(r.Encode(&out)).To(Succeed())
	return out.String()
}

func TestReportIsReadBackAsItWas(t *testing.T) {
	g := NewWithT(t)
	r := sample()
	text := encoded(t, r)
	golden(t, "report.json", text)

	back, err := reports.Decode(strings.NewReader(text))
	g.Expect(err).NotTo(HaveOccurred())
	for i := range r.Scenarios { // whole verdicts of repetitions stand in the evidence
		for k := range r.Scenarios[i].Repetitions {
			r.Scenarios[i].Repetitions[k].Verdict = judge.Verdict{}
		}
	}
	g.Expect(back).To(Equal(r))
	g.Expect(back.Seed).To(Equal(uint64(1<<63 + 1)))
}

func TestReportOfAHostileAgentIsHarmlessAndReadable(t *testing.T) {
	g := NewWithT(t)
	text := encoded(t, poisoned())
	g.Expect(raw(text)).To(BeEmpty())
	g.Expect(len(text)).To(BeNumerically("<", 10<<20))
	g.Expect(text).NotTo(ContainSubstring("<script"))
	back, err := reports.Decode(strings.NewReader(text))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(back.Agent.Kind).To(HavePrefix("\x1b[2J\x1b]0;owned\x07"), "the text itself is kept")
}

func TestEveryCutReportIsRefused(t *testing.T) {
	g := NewWithT(t)
	text := encoded(t, passing())
	for n := range len(strings.TrimRight(text, "\n")) {
		_, err := reports.Decode(strings.NewReader(text[:n]))
		g.Expect(errors.Is(err, reports.ErrTruncated)).To(BeTrue(), "cut at %d: %v", n, err)
	}
}

func TestReadSaysWhatIsWrongAndWhere(t *testing.T) {
	text := encoded(t, passing())
	for name, tc := range map[string]struct {
		text string
		is   error
		says string
	}{
		"empty": {"", reports.ErrTruncated, ":1:1: the report ends in the middle: it was not written whole; run again"},
		"cut": {
			"{\n  \"schema\": \"lost", reports.ErrTruncated,
			":2:18: the report ends in the middle: it was not written whole; run again",
		},
		"no JSON":      {"<html>", reports.ErrNotReport, ":1:1: this is not a lostreceipt report (invalid character '<' looking for beginning of value)"},
		"other JSON":   {`{"a": 1}`, reports.ErrNotReport, `: schema "", want "lostreceipt.report/v1": this is not a lostreceipt report`},
		"older schema": {`{"schema": "lostreceipt.report/v0"}`, reports.ErrOlderSchema, `: schema "lostreceipt.report/v0", want "lostreceipt.report/v1": the report was made by an older lostreceipt; run again with this one`},
		"newer schema": {`{"schema": "lostreceipt.report/v12"}`, reports.ErrNewerSchema, `: schema "lostreceipt.report/v12", want "lostreceipt.report/v1": the report was made by a newer lostreceipt; read it with that one`},
		"wrong kind":   {strings.Replace(text, `"scale": 0.05`, `"scale": "fast"`, 1), reports.ErrNotReport, `: field scale holds a string: this is not a lostreceipt report`},
		"a list":       {strings.Replace(text, `"scale": 0.05`, `"scale": []`, 1), reports.ErrNotReport, `: field scale holds an array: this is not a lostreceipt report`},
		"two reports":  {text + text, reports.ErrNotReport, "after top-level value"},
		"changed outcome": {
			strings.Replace(text, `"outcome": "pass"`, `"outcome": "violation"`, 1), reports.ErrInconsistent,
			`: outcome is "violation", the scenarios say "pass": the report contradicts itself: it was changed after it was written`,
		},
		"changed totals": {strings.Replace(text, `"pass": 2`, `"pass": 3`, 1), reports.ErrInconsistent, `: totals are {"`},
		"a repetition that says otherwise": {
			changedRepetition(t), reports.ErrInconsistent, `: the verdict of scenario "lost-receipt" is "pass", and the worst of its repetitions is "violation"`,
		},
		"a scenario doubled": {strings.Replace(text, `"id": "no-fault"`, `"id": "lost-receipt"`, 1), reports.ErrInconsistent, `: scenario "lost-receipt" stands twice`},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			path := filepath.Join(t.TempDir(), "report.json")
			g.Expect(os.WriteFile(path, []byte(tc.text), 0o644)).To(Succeed())
			_, err := reports.Read(path)
			g.Expect(err).To(MatchError(tc.is))
			g.Expect(err.Error()).To(HavePrefix(path + ":"))
			g.Expect(err.Error()).To(ContainSubstring(tc.says))
		})
	}
}

// changedRepetition is a passing report one of whose repetitions is none.
func changedRepetition(t *testing.T) string {
	r := passing()
	for i := range r.Scenarios {
		if r.Scenarios[i].ID == "lost-receipt" {
			r.Scenarios[i].Repetitions = append(slices.Clone(r.Scenarios[i].Repetitions), reports.Repetition{N: 9, Outcome: judge.Violation})
		}
	}
	return encoded(t, r)
}

func TestAFailedWriteLeavesTheOldReport(t *testing.T) {
	g := NewWithT(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "report.json")
	g.Expect(reports.Write(path, passing())).To(Succeed())

	bad := passing()
	bad.Scale = nan()
	g.Expect(reports.Write(path, bad)).To(MatchError(ContainSubstring("write " + path)))

	back, err := reports.Read(path)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(back.Scale).To(Equal(0.05))
	entries, err := os.ReadDir(dir)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(entries).To(HaveLen(1), "no temporary file is left")
}

func nan() float64 { zero := 0.0; return zero / zero }

// raw lists the characters of text that a terminal might act on, besides line ends.
func raw(text string) (list []string) {
	for _, c := range text {
		if c != '\n' && (c < ' ' || c >= 0x7f && c <= 0x9f || c == 0x202e) {
			list = append(list, fmt.Sprintf("%U", c))
		}
	}
	return list
}
