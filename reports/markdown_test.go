package reports_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

func TestMarkdownSummary(t *testing.T) {
	golden(t, "summary.md", sample().Markdown())
	golden(t, "summary-pass.md", passing().Markdown())
}

func TestMarkdownOfAHostileAgentIsOnlyText(t *testing.T) {
	g := NewWithT(t)
	text := poisoned().Markdown()
	g.Expect(raw(text)).To(BeEmpty())
	g.Expect(len(text)).To(BeNumerically("<=", 60_000))

	outside := regexp.MustCompile("(?s)\n(`{3,})sh\n[^\n]*\n`{3,}\n").ReplaceAllString(text, "\n")
	g.Expect(outside).NotTo(ContainSubstring("```"), "nothing opens a block of code that is not ours")
	g.Expect(strings.ReplaceAll(outside, "&#8203;", "")).To(ContainSubstring("@everyone"), "the text is there")
	outside = strings.ReplaceAll(outside, "&#8203;", "\u2060")
	g.Expect(outside).NotTo(MatchRegexp(`@[A-Za-z]`), "no mention")
	g.Expect(outside).NotTo(MatchRegexp(`#[0-9]`), "no reference to an issue")
	g.Expect(outside).NotTo(MatchRegexp(`(?i)://|www\.`), "no address")

	for _, ours := range []string{`</?details>`, `</?summary>`, `(?m)^(✗ )?\*\*`, `(?m)\*\*$`, `(?m)^#+ `, `\\[!-/:-@[-` + "`" + `{-~]`} {
		outside = regexp.MustCompile(ours).ReplaceAllString(outside, "")
	}
	g.Expect(strings.ContainsAny(outside, "<>[]*`")).To(BeFalse(), "no tag, link, code or emphasis that is not ours: %s", outside)
}

func TestMarkdownTableKeepsItsCells(t *testing.T) {
	g := NewWithT(t)
	cell := regexp.MustCompile(`(?:^|[^\\])\|`)
	rows, columns := 0, 0
	for _, line := range strings.Split(poisoned().Markdown(), "\n") {
		switch bars := len(cell.FindAllString(line, -1)); {
		case strings.HasPrefix(line, "| | "):
			columns = bars
		case strings.HasPrefix(line, "| "):
			rows++
			g.Expect(bars).To(Equal(columns), line)
		}
	}
	g.Expect(rows).To(BeNumerically(">=", 2))
}

func TestMarkdownOfAThousandScenariosFitsAComment(t *testing.T) {
	g := NewWithT(t)
	r := head()
	for n := range 1000 {
		o := judge.Pass
		if n%3 == 0 {
			o = judge.Violation
		}
		id := fmt.Sprintf("scenario-%03d", n)
		r.Add(reports.Scenario{ID: id, Title: strings.Repeat("title ", 20), Repetitions: once(o, time.Second, judge.Verdict{Findings: []judge.Finding{duplicate()}}, id)})
	}
	r.Seal(time.Hour)
	text := r.Markdown()
	g.Expect(len(text)).To(BeNumerically("<=", 60_000))
	g.Expect(text).To(MatchRegexp(`And \d+ more scenarios without a pass in report.json\.`))
	g.Expect(text).To(MatchRegexp(`And \d+ more scenarios in report.json\.`))
	g.Expect(text).To(ContainSubstring("production must verify"), "what it proves is never left out")
}

func TestACommandCannotEndItsBlock(t *testing.T) {
	r := head()
	f := duplicate()
	f.Repeat = "```"
	r.Add(reports.Scenario{ID: "a", Verdict: judge.Verdict{Outcome: judge.Violation, Findings: []judge.Finding{f}}})
	r.Seal(0)
	NewWithT(t).Expect(r.Markdown()).To(ContainSubstring("\n````sh\n```\n````\n"))
}
