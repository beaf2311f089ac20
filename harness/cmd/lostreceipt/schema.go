package main

import (
	"encoding/json"

	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

type schemaVerb struct {
	Contract string `type:"existingfile" help:"Another contract table than the built-in one, whose rows scenarios can name." placeholder:"FILE"`
}

// Help is the worked example.
func (schemaVerb) Help() string {
	return `Example: completion in an editor that knows YAML by its schema (write the comment at the top of a scenario):

    lostreceipt schema > scenario.schema.json
    # yaml-language-server: $schema=scenario.schema.json`
}

// Run runs the verb.
func (v *schemaVerb) Run(in *invocation) error {
	table, err := loadContract(v.Contract)
	if err != nil {
		return err
	}
	o, err := options(table, "")
	if err != nil {
		return err
	}
	out := json.NewEncoder(in.out)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(scenario.NewSchema(o))
}
