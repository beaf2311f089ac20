package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	fakeagent "github.com/lostreceipt/lostreceipt/fakes/agent"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/requirement"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/scenarios"
)

// statusGap is the exit status when a requirement lacks evidence.
const statusGap = 1

type coverageVerb struct {
	Section []string `help:"Only requirements of these sections, for example B,C. Default: all." placeholder:"ID,..."`
	Format  string   `enum:"text,json" default:"text" help:"text or json."`
}

// Help is the worked example.
func (coverageVerb) Help() string {
	return `Example: which requirements of sections B and C lack a scenario, a rule or a known-bad implementation:

    lostreceipt coverage --section B,C

A scenario of a faulty service counts as a known-bad implementation too. Without sections, the rows of the contract follow, with the
scenarios in which correct designs meet them. The exit status is 1 when there is a gap.`
}

// Run runs the verb.
func (v *coverageVerb) Run(in *invocation) error {
	covers, err := covered(v.Section...)
	if err != nil {
		return err
	}
	var rows []rowCoverage
	if len(v.Section) == 0 {
		if rows, err = coveredRows(); err != nil {
			return err
		}
	}
	var gaps []string
	for _, c := range covers {
		if lacks := lacking(c); lacks != "" {
			gaps = append(gaps, c.ID+" ("+lacks+")")
		}
	}
	if v.Format == "json" {
		err = writeCoverage(in, covers, rows)
	} else {
		err = printCoverage(in, covers, gaps)
		if err == nil && rows != nil {
			err = printRows(in.out, rows)
		}
	}
	if err != nil {
		return err
	}
	if len(gaps)+len(unmet(rows)) > 0 {
		return exit(statusGap)
	}
	return nil
}

// coveredRows joins the rows of the contract to the scenarios that name them.
func coveredRows() ([]rowCoverage, error) {
	table, err := loadContract("")
	if err != nil {
		return nil, err
	}
	catalogue, err := loadCatalogue()
	if err != nil {
		return nil, err
	}
	return rowCover(table, catalogue.All()), nil
}

// covered joins the requirements of these sections, of all when none is named,
// to what cites them.
func covered(sections ...string) ([]requirement.Cover, error) {
	list, err := scenarios.Requirements()
	if err != nil {
		return nil, err
	}
	var only []string
	for _, id := range sections {
		section, err := list.Section(id)
		if err != nil {
			return nil, misuse("--section: %w", err)
		}
		for _, r := range section.Requirements {
			only = append(only, r.ID)
		}
	}
	catalogue, err := loadCatalogue()
	if err != nil {
		return nil, err
	}
	covers, err := list.Cover(citations(catalogue.All()))
	if err != nil {
		return nil, err
	}
	if len(sections) > 0 {
		covers = slices.DeleteFunc(covers, func(c requirement.Cover) bool { return !slices.Contains(only, c.ID) })
	}
	return covers, nil
}

// citations are who says that they show what. A scenario whose service breaks
// what it promises is the known-bad implementation of what is asked of services.
func citations(all []*scenario.Scenario) []requirement.Citation {
	var cs []requirement.Citation
	for _, s := range all {
		cs = append(cs, requirement.Citation{Column: requirement.Scenario, By: s.ID, IDs: s.Covers})
	}
	for _, r := range judge.Rules() {
		cs = append(cs, requirement.Citation{Column: requirement.Rule, By: r.ID, IDs: r.Covers})
	}
	for _, d := range fakeagent.Defects() {
		cs = append(cs, requirement.Citation{Column: requirement.Defect, By: d.Name, IDs: d.Covers})
	}
	for _, s := range all {
		if faulty := faultyServices(s); faulty != "" {
			cs = append(cs, requirement.Citation{Column: requirement.Defect, By: faulty, IDs: s.Covers})
		}
	}
	return cs
}

// faultyServices names what the services of a scenario do that they must not,
// as scenarios write it; "" when they are right.
func faultyServices(s *scenario.Scenario) string {
	var what []string
	if breaks := s.Given.Approval.Breaks; len(breaks) > 0 {
		what = append(what, "breaks: ["+strings.Join(breaks, ", ")+"]")
	}
	if breaks := s.Given.Purchase.Breaks; len(breaks) > 0 {
		what = append(what, "purchase: {breaks: ["+strings.Join(breaks, ", ")+"]}")
	}
	if len(what) == 0 && s.Expect.Blames == judge.Service {
		what = append(what, "blames: service ("+s.ID+")")
	}
	return strings.Join(what, ", ")
}

// lacking says which columns of a requirement are empty, "" when none is.
func lacking(c requirement.Cover) string {
	var words []string
	for _, column := range c.Gaps() {
		words = append(words, "no "+string(column))
	}
	return strings.Join(words, ", ")
}

func printCoverage(in *invocation, covers []requirement.Cover, gaps []string) error {
	lines := []string{"\tscenarios\trules\tdefects\t"}
	var notes []string
	for _, c := range covers {
		cells := []string{c.ID}
		for _, column := range requirement.Columns() {
			cell := strconv.Itoa(len(c.By[column]))
			switch {
			case slices.Contains(c.Gaps(), column):
				cell = "none"
			case slices.Contains(c.Elsewhere(), column):
				cell = "-"
			}
			cells = append(cells, cell)
		}
		lines = append(lines, strings.Join(append(cells, c.Statement), "\t"))
		if len(c.Elsewhere()) > 0 {
			notes = append(notes, fmt.Sprintf("- %s: %s (%s)", c.ID, c.ShownBy.Why, strings.Join(c.ShownBy.Tests, ", ")))
		}
	}
	w := tabwriter.NewWriter(in.out, 0, 0, 2, ' ', 0)
	if _, err := io.WriteString(w, strings.Join(lines, "\n")+"\n"); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	end := "no gap in " + counted(len(covers), "requirement")
	if len(gaps) > 0 {
		end = fmt.Sprintf("a gap in %d of %s:\n    %s", len(gaps), counted(len(covers), "requirement"), strings.Join(gaps, "\n    "))
	}
	_, err := io.WriteString(in.out, strings.Join(append(notes, end), "\n")+"\n")
	return err
}

// coverage is the verb's JSON.
type coverage struct {
	Requirements []requirementCoverage `json:"requirements"`
	Rows         []rowCoverage         `json:"rows,omitempty"` // of the contract, unless sections were chosen
}

type requirementCoverage struct {
	ID        string   `json:"id"`
	Statement string   `json:"statement"`
	Scenarios []string `json:"scenarios"`
	Rules     []string `json:"rules"`
	Defects   []string `json:"defects"`
	Gaps      []string `json:"gaps"` // the columns that are empty: scenario, rule, defect
	ShownBy   *shownBy `json:"shown_by,omitempty"`
}

// shownBy says what shows a requirement in columns that can have no citation.
type shownBy struct {
	InsteadOf []requirement.Column `json:"instead_of"`
	Why       string               `json:"why"`
	Tests     []string             `json:"tests"`
}

func writeCoverage(in *invocation, covers []requirement.Cover, rows []rowCoverage) error {
	out := coverage{Requirements: []requirementCoverage{}, Rows: rows}
	for _, c := range covers {
		r := requirementCoverage{
			ID: c.ID, Statement: c.Statement, Scenarios: names(c, requirement.Scenario), Rules: names(c, requirement.Rule),
			Defects: names(c, requirement.Defect), Gaps: []string{},
		}
		for _, column := range c.Gaps() {
			r.Gaps = append(r.Gaps, string(column))
		}
		if instead := c.Elsewhere(); len(instead) > 0 {
			r.ShownBy = &shownBy{instead, c.ShownBy.Why, c.ShownBy.Tests}
		}
		out.Requirements = append(out.Requirements, r)
	}
	w := json.NewEncoder(in.out)
	w.SetIndent("", "  ")
	w.SetEscapeHTML(false)
	return w.Encode(out)
}

// names are what cites a requirement, never nil.
func names(c requirement.Cover, column requirement.Column) []string {
	return append([]string{}, c.By[column]...)
}
