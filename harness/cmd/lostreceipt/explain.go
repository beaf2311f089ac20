package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

type explainVerb struct {
	Scenario string `arg:"" help:"A scenario's id, or a file."`
	Contract string `type:"existingfile" help:"Another contract table than the built-in one." placeholder:"FILE"`
	Format   string `enum:"text,json" default:"text" help:"text or json."`
}

// Help is the worked example.
func (explainVerb) Help() string {
	return `Example: what will break where, which rows apply and what is allowed:

    lostreceipt explain lost-receipt-reset`
}

// Run runs the verb.
func (v *explainVerb) Run(in *invocation) error {
	table, err := loadContract(v.Contract)
	if err != nil {
		return err
	}
	catalogue, err := loadCatalogue()
	if err != nil {
		return err
	}
	selected, err := choose(catalogue, table, []string{v.Scenario}, "")
	if err != nil {
		return err
	}
	for _, s := range selected {
		if v.Format == "json" {
			err = json.NewEncoder(in.out).Encode(struct {
				ID      string `json:"id"`
				Summary string `json:"summary"`
				Text    string `json:"text"`
			}{s.ID, s.Title, scenario.Explain(s.Scenario) + rowsOf(table, s.Scenario)})
		} else {
			_, err = fmt.Fprintln(in.out, scenario.Explain(s.Scenario)+rowsOf(table, s.Scenario))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// rowsOf says what the contract allows and demands in the rows that a scenario
// is about.
func rowsOf(table *contract.Table, s *scenario.Scenario) string {
	var b strings.Builder
	for _, id := range s.Expect.Rows {
		row, ok := table.Row(id)
		if !ok {
			continue
		}
		if b.Len() == 0 {
			b.WriteString("\nWhat those rows say\n")
		}
		var allowed []string
		for _, p := range row.Allow {
			if name := string(p.Action); !slices.Contains(allowed, name) {
				allowed = append(allowed, name)
			}
		}
		fmt.Fprintf(&b, "  %s (%s): allows %s", id, row.Summary, none(allowed, "no write"))
		if len(row.Must) > 0 {
			fmt.Fprintf(&b, "; demands %s", strings.Join(row.Must, ", "))
		}
		b.WriteString(".\n")
	}
	return b.String()
}

// none is a list, or what stands for an empty one.
func none(list []string, empty string) string {
	if len(list) == 0 {
		return empty
	}
	return strings.Join(list, ", ")
}
