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
	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

// rowCoverage is a row of the contract and the scenarios that say that correct
// designs meet it there (expect.rows).
type rowCoverage struct {
	Row       string   `json:"row"`
	Summary   string   `json:"summary"`
	Scenarios []string `json:"scenarios"`
}

// rowCover joins the rows of a table, in its order, to scenarios.
func rowCover(table *contract.Table, all []*scenario.Scenario) []rowCoverage {
	rows := make([]rowCoverage, len(table.Rows))
	for n, r := range table.Rows {
		rows[n] = rowCoverage{Row: r.ID, Summary: r.Summary, Scenarios: []string{}}
		for _, s := range all {
			if slices.Contains(s.Expect.Rows, r.ID) {
				rows[n].Scenarios = append(rows[n].Scenarios, s.ID)
			}
		}
	}
	return rows
}

// unmet are the rows that no scenario says that it meets.
func unmet(rows []rowCoverage) []string {
	var ids []string
	for _, r := range rows {
		if len(r.Scenarios) == 0 {
			ids = append(ids, r.Row)
		}
	}
	return ids
}

func printRows(out io.Writer, rows []rowCoverage) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, "\nrow\tscenarios\t"); err != nil {
		return err
	}
	for _, r := range rows {
		count := fmt.Sprint(len(r.Scenarios))
		if len(r.Scenarios) == 0 {
			count = "none"
		}
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s\n", r.Row, count, r.Summary); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	end := "no gap in " + counted(len(rows), "row") + " of the contract"
	if gaps := unmet(rows); len(gaps) > 0 {
		end = fmt.Sprintf("no scenario meets %d of %s of the contract: %s", len(gaps), counted(len(rows), "row"), strings.Join(gaps, ", "))
	}
	_, err := fmt.Fprintln(out, end)
	return err
}

// rowMet is a row of the contract, and which correct designs met it in which scenarios.
type rowMet struct {
	Row       string              `json:"row"`
	Scenarios map[string][]string `json:"scenarios"` // the designs, by scenario
}

// tellRows prints in how many scenarios each correct design met each row.
func tellRows(w io.Writer, rows []rowMet, designs []string) {
	if len(rows) == 0 {
		return
	}
	_, _ = fmt.Fprintln(w, "\nROW\t"+strings.Join(designs, "\t"))
	for _, r := range rows {
		_, _ = fmt.Fprint(w, r.Row)
		for _, d := range designs {
			n := 0
			for _, met := range r.Scenarios {
				if slices.Contains(met, d) {
					n++
				}
			}
			_, _ = fmt.Fprintf(w, "\t%d", n)
		}
		_, _ = fmt.Fprintln(w)
	}
}

// rows demands that correct designs met every row of the table somewhere, and in
// each scenario those rows that it says they meet, if the machine let them act in
// their time there: it was late by less than patience in some run.
func (p *proof) rows(trials []*trial, table *contract.Table, patience time.Duration) {
	at := map[string]int{}
	for n, r := range table.Rows {
		at[r.ID] = n
		p.Rows = append(p.Rows, rowMet{Row: r.ID, Scenarios: map[string][]string{}})
	}
	said, calm := map[string][]string{}, map[string]bool{} // by scenario
	var order []string
	for _, t := range trials {
		if t.defect != nil {
			continue
		}
		for _, r := range t.results {
			s := r.Job.Scenario
			if _, known := said[s.ID]; !known {
				said[s.ID] = s.Expect.Rows
				order = append(order, s.ID)
			}
			calm[s.ID] = calm[s.ID] || r.Verdict.Noise < patience
			for _, c := range r.Verdict.Cells {
				if n, known := at[c.Row]; known && !slices.Contains(p.Rows[n].Scenarios[s.ID], t.name) {
					p.Rows[n].Scenarios[s.ID] = append(p.Rows[n].Scenarios[s.ID], t.name)
				}
			}
		}
	}
	for _, r := range p.Rows {
		if len(r.Scenarios) == 0 {
			p.UncoveredRows = append(p.UncoveredRows, r.Row)
			p.fail(judge.Vacuous, "no correct design met the row %s in any scenario", r.Row)
		}
	}
	for _, id := range order {
		for _, row := range said[id] {
			if n, known := at[row]; known && calm[id] && len(p.Rows[n].Scenarios) > 0 && len(p.Rows[n].Scenarios[id]) == 0 {
				p.fail(judge.Vacuous, "%s says that correct designs meet the row %s, and none did", id, row)
			}
		}
	}
}
