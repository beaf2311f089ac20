package manual_test

import (
	"regexp"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	fakeagent "github.com/lostreceipt/lostreceipt/fakes/agent"
	"github.com/lostreceipt/lostreceipt/harness/cmd/lostreceipt/manual"
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/requirement"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/scenarios"
	"github.com/lostreceipt/lostreceipt/suites/service"
)

func sources(t *testing.T) manual.Sources {
	t.Helper()
	g := NewWithT(t)
	table, err := scenarios.Contract()
	g.Expect(err).NotTo(HaveOccurred())
	all, err := scenario.LoadDir(scenarios.Catalogue, scenario.Options{Root: "scenarios"})
	g.Expect(err).NotTo(HaveOccurred())
	list, err := scenarios.Requirements()
	g.Expect(err).NotTo(HaveOccurred())
	var citations []requirement.Citation
	for _, r := range judge.Rules() {
		citations = append(citations, requirement.Citation{Column: requirement.Rule, By: r.ID, IDs: r.Covers})
	}
	for _, d := range fakeagent.Defects() {
		citations = append(citations, requirement.Citation{Column: requirement.Defect, By: d.Name, IDs: d.Covers})
	}
	for _, s := range all.All() {
		citations = append(citations,
			requirement.Citation{Column: requirement.Scenario, By: s.ID, IDs: s.Covers},
			requirement.Citation{Column: requirement.Defect, By: "breaks: [x]", IDs: []string{"B13"}})
	}
	covers, err := list.Cover(citations)
	g.Expect(err).NotTo(HaveOccurred())
	return manual.Sources{Contract: table, Catalogue: all, Covers: covers, Schema: scenario.NewSchema(scenario.Options{})}
}

func pages(t *testing.T) map[string]string {
	t.Helper()
	all, err := manual.Pages(sources(t))
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	texts := map[string]string{}
	for _, p := range all {
		NewWithT(t).Expect(texts).NotTo(HaveKey(p.Name))
		texts[p.Name] = p.Text
	}
	return texts
}

func TestPagesNameEverythingThatThereIs(t *testing.T) {
	g := NewWithT(t)
	texts, from := pages(t), sources(t)
	has := func(page, text string) {
		t.Helper()
		g.Expect(texts[page]).To(ContainSubstring(text), page)
	}
	for _, r := range judge.Rules() {
		has("rules.md", "\n## "+r.ID+"\n")
	}
	for _, duty := range contract.Duties() {
		g.Expect(texts["rules.md"]).To(MatchRegexp("judges the duties: .*" + duty))
	}
	for _, k := range fault.Effects() {
		has("effects.md", "| `"+k.Name+"` |")
	}
	for _, op := range contract.Operations() {
		has("effects.md", "| `"+op.String()+"` |")
	}
	for _, r := range from.Contract.Rows {
		has("contract.md", "| `"+r.ID+"` |")
	}
	for _, d := range fakeagent.Defects() {
		has("agents.md", "\n## "+d.Name+"\n")
	}
	for _, d := range fakeagent.Designs() {
		has("agents.md", "| `"+d.Name+"` |")
	}
	for _, c := range from.Covers {
		has("requirements.md", "\n## "+c.ID+"\n")
	}
	for _, s := range from.Catalogue.All() {
		has("catalogue.md", "\n## "+s.ID+"\n")
	}
	for _, f := range from.Schema.Properties {
		has("scenario.md", "| `"+f.Name+"` |")
	}
	for _, c := range service.Checks() {
		has("service.md", c.Name)
	}
	has("scenario.md", "| `faults[].at` | anchor | Must be there. The moment at which it fires. |")
	for _, route := range []string{"GET /v1/work", "GET /v1/confirmations/{id}", "GET /v1/tasks/{id}/inbox", "POST /v1/tasks/{id}/states", "POST /v1/tasks/{id}/result"} {
		has("protocol.md", "\n## `"+route+"`\n")
	}
	for field, line := range map[string]string{
		"protocol.md": "| `guarantees` | map of names to Promise | Must be there. What the services promise, an entry an operation (approval.submit). What is absent is not promised. |",
		"scenario.md": "| `given.approval.submit.idempotency.retention` | duration | How long an identifier is recognised. Default: 1 retention. |",
		"rules.md":    "[new-key](agents.md#new-key)",
		"README.md":   "- [The contract table](contract.md): ",
		"contract.md": "`escalate` (not `in-period`)",
	} {
		has(field, line)
	}
}

var link = regexp.MustCompile(`\]\(([a-z.A-Z]+)(?:#([^)]*))?\)`)

func TestLinksLeadSomewhere(t *testing.T) {
	g := NewWithT(t)
	texts := pages(t)
	n := 0
	for page, text := range texts {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			g.Expect(texts).To(HaveKey(m[1]), "%s links to %s", page, m[0])
			if m[2] == "" {
				continue
			}
			n++
			// The address of a heading is its text in small letters.
			g.Expect(strings.ToLower(texts[m[1]])).To(ContainSubstring("\n## "+m[2]+"\n"), "%s links to %s", page, m[0])
		}
	}
	g.Expect(n).To(BeNumerically(">", 200))
}

func TestPagesAreTheSameEveryTimeAndWellFormed(t *testing.T) {
	g := NewWithT(t)
	texts := pages(t)
	g.Expect(pages(t)).To(Equal(texts))
	for name, text := range texts {
		g.Expect(text).To(HavePrefix(manual.Generated+"\n\n# "), name)
		columns, fenced := 0, false
		for i, line := range strings.Split(text, "\n") {
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
			}
			if fenced || !strings.HasPrefix(line, "|") {
				columns = 0
				continue
			}
			bars := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			if columns == 0 {
				columns = bars
			}
			g.Expect(bars).To(Equal(columns), "%s:%d: %s", name, i+1, line)
		}
		g.Expect(fenced).To(BeFalse(), name)
	}
}
