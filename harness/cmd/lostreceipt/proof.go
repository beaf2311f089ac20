package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/reports"
)

// proof is what the self-test shows.
type proof struct {
	reports.SelfTest
	// Failures say what is wrong, a sentence each. None: the judge bites.
	Failures []string `json:"failures"`
	// Unproven are rules that no defect of this run made fire, and that none claims.
	Unproven []string `json:"unproven"`
	// UncoveredRows are rows of the contract that no correct design met.
	UncoveredRows []string `json:"uncovered_rows"`
	// Rows are the rows of the contract, with the designs and scenarios that met them.
	Rows []rowMet `json:"rows,omitempty"`

	outcomes []judge.Outcome // of what failed
}

// fail notes that something is wrong.
func (p *proof) fail(o judge.Outcome, format string, args ...any) {
	p.outcomes = append(p.outcomes, o)
	p.Failures = append(p.Failures, fmt.Sprintf(format, args...))
}

// prove draws the conclusions of a self-test, a whole one or a part: that says
// nothing about what is missing. A machine that is late by more than patience says
// nothing about rows.
func prove(trials []*trial, table *contract.Table, patience time.Duration, whole bool) *proof {
	p := &proof{}
	p.Designs, p.Kills, p.Failures = []reports.Design{}, []reports.Kill{}, []string{}
	fired, claimed := map[string]bool{}, map[string]bool{}
	for _, t := range trials {
		if t.defect == nil {
			p.design(t)
			continue
		}
		claimed[t.defect.Rule] = true
		p.defect(t, fired)
	}
	if !whole {
		return p
	}
	for _, r := range judge.Rules() {
		if !fired[r.ID] && !claimed[r.ID] && r.Party == judge.Agent {
			p.Unproven = append(p.Unproven, r.ID)
			p.fail(judge.Violation, "nothing violates the rule %s: there is no known-bad agent for it", r.ID)
		}
	}
	p.rows(trials, table, patience)
	return p
}

// design demands that a correct design is clean everywhere.
func (p *proof) design(t *trial) {
	d := reports.Design{Name: t.name, Scenarios: len(t.results)}
	var outcomes []judge.Outcome
	for _, r := range t.results {
		outcomes = append(outcomes, r.Verdict.Outcome)
		if r.Verdict.Outcome == judge.Pass {
			continue
		}
		problem := fmt.Sprintf("%s: %s: %s", r.Job.Scenario.ID, r.Verdict.Outcome, why(r.Verdict))
		d.Problems = append(d.Problems, problem)
		p.fail(r.Verdict.Outcome, "the correct design %s is not clean in %s", t.name, problem)
	}
	d.Outcome = judge.Worst(outcomes)
	p.Designs = append(p.Designs, d)
}

// why names the rules or the reason of a verdict.
func why(v judge.Verdict) string {
	if rules := rulesOf(v); len(rules) > 0 {
		return strings.Join(rules, ", ")
	}
	return strings.Join(v.Reasons, "; ")
}

func rulesOf(v judge.Verdict) []string {
	var rules []string
	for _, f := range v.Findings {
		if !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	return rules
}

// defect demands that a defect is found by the rule made for it.
func (p *proof) defect(t *trial, fired map[string]bool) {
	found := map[string]int{}
	for _, r := range t.results {
		k := reports.Kill{
			Defect: t.name, Rule: t.defect.Rule, Scenario: r.Job.Scenario.ID, Rules: certain(r.Verdict), Result: t.kill(r),
		}
		for _, rule := range k.Rules {
			fired[rule] = true
		}
		found[k.Result]++
		p.Kills = append(p.Kills, k)
	}
	switch {
	case found[reports.Killed] > 0:
	case found[reports.WrongReason] > 0:
		p.fail(judge.Violation, "the defect %s is found by other rules only, and never by %s", t.name, t.defect.Rule)
	case found[reports.Survived] > 0:
		p.fail(judge.Violation, "the defect %s survives: %s does not fire", t.name, t.defect.Rule)
	default:
		p.fail(judge.Vacuous, "the defect %s never met its fault", t.name)
	}
}

// kill is what became of a defect in one run.
func (t *trial) kill(r run.Result) string {
	switch {
	case r.Void() || r.Verdict.Outcome == judge.HarnessError:
		return reports.Void
	case slices.Contains(certain(r.Verdict), t.defect.Rule):
		return reports.Killed
	case r.Verdict.Outcome == judge.Violation:
		return reports.WrongReason
	}
	return reports.Survived
}

// certain are the rules that the evidence forces.
func certain(v judge.Verdict) []string {
	var rules []string
	for _, f := range v.Findings {
		if !f.Uncertain && !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	return rules
}

// tell prints the kill matrix and what is wrong.
func tell(out io.Writer, p *proof) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "DESIGN\tSCENARIOS\tRESULT")
	for _, d := range p.Designs {
		_, _ = fmt.Fprintf(w, "%s\t%d\t%s\n", d.Name, d.Scenarios, d.Outcome)
	}
	_, _ = fmt.Fprintln(w, "\nDEFECT\tRULE MADE FOR IT\tKILLED IN\tELSEWHERE")
	for _, name := range defectsOf(p.Kills) {
		var killed, other []string
		rule := ""
		for _, k := range p.Kills {
			switch {
			case k.Defect != name:
				continue
			case k.Result == reports.Killed:
				killed = append(killed, k.Scenario)
			default:
				other = append(other, k.Scenario+" "+k.Result+rulesIn(k))
			}
			rule = k.Rule
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", name, rule, brief(killed), brief(other))
	}
	var designs []string
	for _, d := range p.Designs {
		designs = append(designs, d.Name)
	}
	tellRows(w, p.Rows, designs)
	_ = w.Flush() // the writer below it has said so already
	if len(p.Unproven) > 0 {
		say(out, "\nRules about agents that nothing violated here: %s\n", strings.Join(p.Unproven, ", "))
	}
	if len(p.UncoveredRows) > 0 {
		say(out, "Rows of the contract that no correct design met: %s\n", strings.Join(p.UncoveredRows, ", "))
	}
	say(out, "\n")
	for _, f := range p.Failures {
		say(out, "FAIL: %s\n", f)
	}
	if len(p.Failures) == 0 {
		say(out, "PASS: %s clean, and %s found by the rule made for it.\n",
			counted(len(p.Designs), "correct design"), counted(len(defectsOf(p.Kills)), "defect"))
	}
}

func rulesIn(k reports.Kill) string {
	if len(k.Rules) == 0 {
		return ""
	}
	return " (" + strings.Join(k.Rules, ", ") + ")"
}

func defectsOf(kills []reports.Kill) []string {
	var names []string
	for _, k := range kills {
		if !slices.Contains(names, k.Defect) {
			names = append(names, k.Defect)
		}
	}
	return names
}

// brief is the first few of a list.
func brief(list []string) string {
	const most = 3
	if n := len(list) - most; n > 0 {
		return strings.Join(list[:most], ", ") + fmt.Sprintf(" and %d more", n)
	}
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, ", ")
}
