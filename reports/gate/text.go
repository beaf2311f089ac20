package gate

import (
	"fmt"
	"strings"

	"github.com/lostreceipt/lostreceipt/reports"
	"github.com/lostreceipt/lostreceipt/reports/harmless"
	"github.com/lostreceipt/lostreceipt/reports/page"
)

// maxReasons is how many reasons a person is told. All are in the JSON.
const maxReasons = 100

// maxAnnotations is how many GitHub shows of one step.
const maxAnnotations = 10

// Text is the decision for a person: every reason with what to do, then what
// was waived and what changed, and the verdict at the end.
func (d *Decision) Text() string {
	var out strings.Builder
	for i, r := range d.Reasons {
		if i == maxReasons {
			fmt.Fprintf(&out, "and %d more reasons; --format json has all\n", len(d.Reasons)-i)
			break
		}
		fmt.Fprintf(&out, "✗ %s\n    %s\n", r.Text, r.Do)
	}
	for _, note := range d.notes() {
		fmt.Fprintf(&out, "- %s\n", note)
	}
	word := map[bool]string{true: "PASS", false: "FAIL"}[d.Passed]
	fmt.Fprintf(&out, "GATE %s: %s\n", word, d.Verdict)
	return out.String()
}

// notes say what was looked at, what was waived and what changed.
func (d *Decision) notes() []string {
	var list []string
	if d.Evidence != "" {
		list = append(list, d.Evidence)
	}
	for _, w := range d.Waived {
		list = append(list, fmt.Sprintf("waived until %s: %s in %s, owner %s: %s",
			w.Expires.Format("2006-01-02"), line(w.Rule), line(w.Scenario), line(w.Owner), harmless.Line(w.Reason, 500)))
	}
	if c := d.Baseline; c != nil {
		list = append(list, fmt.Sprintf("since the baseline: %d new, %d fixed, %d unchanged", len(c.New), len(c.Fixed), len(c.Unchanged)))
		list = append(list, c.Notes...)
		for _, part := range []struct {
			name string
			list []Change
		}{{"new", c.New}, {"fixed", c.Fixed}, {"unchanged", c.Unchanged}} {
			for i, ch := range part.list {
				if i == maxReasons {
					list = append(list, fmt.Sprintf("and %d more that are %s", len(part.list)-i, part.name))
					break
				}
				list = append(list, part.name+": "+ch.String())
			}
		}
	}
	return list
}

// Annotations are the reasons as GitHub shows them beside a run.
func (d *Decision) Annotations() []reports.Annotation {
	var list []reports.Annotation
	for i, r := range d.Reasons {
		if i == maxAnnotations {
			list = append(list, reports.Annotation{Title: "gate", Message: fmt.Sprintf("and %d more reasons", len(d.Reasons)-i)})
			break
		}
		list = append(list, reports.Annotation{Title: "gate: " + r.Code, Message: r.Text + "\n" + r.Do})
	}
	return list
}

// Page is the decision as the head of a report's page shows it.
func (d *Decision) Page() *page.Gate {
	g := &page.Gate{Passed: d.Passed, Verdict: d.Verdict, Notes: d.notes()}
	for i, r := range d.Reasons {
		if i == maxReasons {
			g.Reasons = append(g.Reasons, page.Reason{Text: fmt.Sprintf("and %d more reasons", len(d.Reasons)-i)})
			break
		}
		g.Reasons = append(g.Reasons, page.Reason{Text: r.Text, Do: r.Do})
	}
	return g
}
