package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	fakeagent "github.com/lostreceipt/lostreceipt/fakes/agent"
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/requirement"
)

type listVerb struct {
	What     string `arg:"" enum:"scenarios,rules,defects,designs,effects,rows,requirements" help:"scenarios, rules, defects, designs, effects, rows or requirements."`
	Contract string `type:"existingfile" help:"Another contract table than the built-in one." placeholder:"FILE"`
	Format   string `enum:"text,json" default:"text" help:"text, or json: an array of objects."`
}

// Help is the worked example.
func (listVerb) Help() string {
	return `Example: which known-bad agents there are, and the rule that must find each:

    lostreceipt list defects`
}

// entry is one line of a list. What does not apply is empty.
type entry struct {
	Name      string   `json:"name"`
	Summary   string   `json:"summary"`
	Family    string   `json:"family,omitempty"`
	Party     string   `json:"party,omitempty"`
	Usage     string   `json:"usage,omitempty"`
	Where     string   `json:"where,omitempty"`
	Rule      string   `json:"rule,omitempty"`
	Covers    []string `json:"covers,omitempty"`
	Needs     []string `json:"needs,omitempty"`
	Labels    []string `json:"labels,omitempty"`
	Scenarios []string `json:"scenarios,omitempty"`
	Rules     []string `json:"rules,omitempty"`
	Defects   []string `json:"defects,omitempty"`

	note string // for people, behind the summary
}

// Run runs the verb.
func (v *listVerb) Run(in *invocation) error {
	table, err := loadContract(v.Contract)
	if err != nil {
		return err
	}
	entries, err := list(v.What, table)
	if err != nil {
		return err
	}
	if v.Format == "json" {
		out := json.NewEncoder(in.out)
		out.SetIndent("", "  ")
		return out.Encode(entries)
	}
	w := tabwriter.NewWriter(in.out, 0, 0, 2, ' ', 0)
	for _, e := range entries {
		summary := e.Summary
		if e.note != "" {
			summary += " (" + e.note + ")"
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\n", e.Name, summary)
		if e.Usage != "" {
			_, _ = fmt.Fprintf(w, "\t    do: %s\n", written(e.Usage))
		}
		if e.Where != "" {
			_, _ = fmt.Fprintf(w, "\t    at: %s\n", e.Where)
		}
	}
	return w.Flush()
}

func list(what string, table *contract.Table) ([]entry, error) {
	entries := []entry{}
	switch what {
	case "rules":
		for _, r := range judge.Rules() {
			entries = append(entries, entry{Name: r.ID, Summary: r.Sentence, Family: string(r.Family), Party: string(r.Party), Covers: r.Covers})
		}
	case "defects":
		for _, d := range fakeagent.Defects() {
			entries = append(entries, entry{Name: d.Name, Summary: "violates: " + d.Summary, Rule: d.Rule, Covers: d.Covers, Scenarios: d.Scenarios, note: d.Rule})
		}
	case "designs":
		for _, d := range fakeagent.Designs() {
			entries = append(entries, entry{Name: d.Name, Summary: d.Summary})
		}
	case "effects":
		for _, k := range fault.Effects() {
			entries = append(entries, entry{Name: k.Name, Summary: k.Summary, Family: string(k.Family), Usage: k.Usage, Where: k.Where, Needs: k.Needs})
		}
	case "rows":
		for _, r := range table.Rows {
			entries = append(entries, entry{Name: r.ID, Summary: r.Summary})
		}
	case "scenarios":
		catalogue, err := loadCatalogue()
		if err != nil {
			return nil, err
		}
		for _, s := range catalogue.All() {
			entries = append(entries, entry{Name: s.ID, Summary: s.Title, Covers: s.Covers, Needs: s.Needs, Labels: s.Labels})
		}
	case "requirements":
		covers, err := covered()
		if err != nil {
			return nil, err
		}
		for _, c := range covers {
			e := entry{
				Name: c.ID, Summary: c.Statement,
				Scenarios: c.By[requirement.Scenario], Rules: c.By[requirement.Rule], Defects: c.By[requirement.Defect],
			}
			e.note = strings.Join([]string{
				counted(len(e.Scenarios), "scenario"), counted(len(e.Rules), "rule"), counted(len(e.Defects), "defect"),
			}, ", ")
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// counted is "1 rule" or "n rules".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// written is a usage as it stands behind do: an effect with a setting is a
// mapping of its own, in braces.
func written(usage string) string {
	forms := strings.Split(strings.ReplaceAll(usage, ", or ", "\x00"), "\x00")
	for i, form := range forms {
		if name, _, set := strings.Cut(form, ": "); set && !strings.ContainsAny(name, "{ ") {
			forms[i] = "{" + form + "}"
		}
	}
	return strings.Join(forms, ", or do: ")
}
