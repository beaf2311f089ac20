package reports

import (
	"fmt"
	"html/template"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports/page"
	"github.com/lostreceipt/lostreceipt/reports/timeline"
)

const (
	// maxFindingText bounds the text of all findings in a page, in bytes. What does not fit stands in the report.
	maxFindingText = 2 << 20
	maxSearch      = 600
)

// view is one line of the list. budget is what is left for the findings' text.
func (s Scenario) view(dir string, t *tags, budget *int) page.Scenario {
	v := s.Verdict
	findings := slices.Clone(v.Findings)
	slices.SortStableFunc(findings, func(a, b judge.Finding) int { return rank(a) - rank(b) })
	out := page.Scenario{
		ID: plain(s.ID, maxName), Title: plain(s.Title, 300), Outcome: plain(string(v.Outcome), maxName), Words: outcomeWords(s),
		Ends: ended(v), Counts: consequences(v), Time: span(s.Duration), Tags: t.of(s), Facts: s.facts(),
	}
	var rules []string
	for _, f := range findings {
		if Accuses(f) {
			rules = append(rules, plain(f.Rule, maxName))
		}
	}
	rules = unique(rules)
	if out.Rules = bounded(rules, 3); len(rules) > 3 {
		out.Rules = append(slices.Clone(out.Rules), fmt.Sprintf("and %d more", len(rules)-3))
	}
	for _, reason := range bounded(complaints(s), maxShown) {
		out.Reasons = append(out.Reasons, plain(reason, maxSentence))
	}
	if len(rules) == 0 && len(out.Reasons) > 0 {
		out.Why = plain(out.Reasons[0], 140)
	}
	for i, f := range findings {
		card := card(i+1, f)
		size := len(f.Observed) + len(f.Cause) + len(f.Correct) + len(f.Repeat) + 400
		if i >= maxShown || size > *budget {
			out.More = len(findings) - i
			break
		}
		*budget -= size
		out.Findings = append(out.Findings, card)
	}
	out.Search = strings.ToLower(plain(strings.Join(slices.Concat([]string{s.ID, s.Title, string(v.Outcome)}, s.Covers, rules, effects(v)), " "), maxSearch))
	s.evidence(&out, dir, findings)
	return out
}

func effects(v judge.Verdict) []string {
	var list []string
	for _, c := range v.Cells {
		list = append(list, c.Row, c.Phase, c.Effect)
	}
	return unique(list)
}

func (s Scenario) facts() []page.Fact {
	var f facts
	f.add("requirements", strings.Join(s.Covers, ", "))
	f.add("calls", fmt.Sprint(s.Verdict.Calls))
	f.add("noise", span(s.Verdict.Noise))
	if n := len(s.Repetitions); n > 1 {
		var parts []string
		for _, o := range judge.Outcomes() {
			k := 0
			for _, rep := range s.Repetitions {
				if rep.Outcome == o {
					k++
				}
			}
			if k > 0 {
				parts = append(parts, fmt.Sprintf("%s %d", o, k))
			}
		}
		f.add("repetitions", strings.Join(parts, ", "))
		if rep, ok := worstRepetition(s); ok {
			f.add("shown", fmt.Sprintf("repetition %d", rep.N))
		}
	}
	if s.Outside {
		f.add("catalogue", "not of it")
	}
	f.exact("file", s.File)
	return f
}

// card is one finding.
func card(n int, f judge.Finding) page.Finding {
	c := page.Finding{
		N: n, Rule: plain(f.Rule, maxName), Accuses: Accuses(f), Observed: plain(f.Observed, maxSentence), Records: bounded(f.Records, maxNumbers),
		Cause: plain(f.Cause, maxSentence), Correct: plain(f.Correct, maxSentence), Repeat: plain(f.Repeat, maxCommand),
	}
	if f.Party != judge.Agent {
		c.Party = "party: " + plain(string(f.Party), maxName)
	}
	var list facts
	for _, s := range statements(f) {
		switch s.label {
		case "concerns", "row", "allowed", "demanded", "margin", "certainty":
			list.add(s.label, s.text)
		}
	}
	c.Facts = list
	return c
}

// evidence lets the page draw the history of the repetition that decided, when
// it is there.
func (s Scenario) evidence(out *page.Scenario, dir string, findings []judge.Finding) {
	rep, ok := worstRepetition(s)
	if !ok || rep.Evidence == "" {
		return
	}
	path := filepath.FromSlash(rep.Evidence)
	if !filepath.IsLocal(path) { // a report that somebody wrote by hand
		return
	}
	out.Evidence = (&url.URL{Path: rep.Evidence}).EscapedPath()
	if dir == "" {
		return
	}
	run := RunDir(filepath.Join(dir, path))
	if _, err := os.Stat(run.History()); err != nil {
		return
	}
	records := make([][]int, len(findings))
	for i, f := range findings {
		records[i] = f.Records
	}
	title := "History of " + plain(s.ID, maxName)
	out.Unfold = func(w io.Writer, n int) error {
		stored, err := run.Load()
		if err != nil { // the page says so in its place; the rest of it stands
			_, err = fmt.Fprintf(w, "<p class=\"why\">The history cannot be read: %s</p>", template.HTMLEscapeString(plain(err.Error(), maxSentence)))
			return err
		}
		if stored.Torn {
			if _, err := io.WriteString(w, "<p class=\"why\">The history ends in the middle of a record: whoever wrote it was killed, or its disk was full.</p>"); err != nil {
				return err
			}
		}
		return timeline.Of(stored.Records, timeline.Options{Title: title, Findings: records, Max: n, MaxText: 2 << 10}).Fragment(w)
	}
}
