package main

import (
	"encoding/json"
	"fmt"

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
	catalogue, err := loadCatalogue(table)
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
			}{s.ID, s.Title, scenario.Explain(s.Scenario)})
		} else {
			_, err = fmt.Fprintln(in.out, scenario.Explain(s.Scenario))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
