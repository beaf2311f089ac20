package main

import (
	"errors"
	"io/fs"
	"maps"
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/intake"
)

// configName is the file that is read when none is named.
const configName = "lostreceipt.yaml"

// policyName is the gate policy that init writes.
const policyName = "gate.yaml"

// config is lostreceipt.yaml: who the agent is and what it cannot do.
type config struct {
	Agent struct {
		// Name stands in the report. Default: that of the command.
		Name string
		// Command is run when none stands after --.
		Command []string
	}
	// Capabilities that are false are not applicable; what is absent is true.
	Capabilities map[string]bool
}

// capabilities are the names that an agent can declare.
func capabilities() []string {
	return []string{"purchase", "withdraw", "notify", "escalate", "decisions", "revise", "several", "model_loop", "mcp", "restart"}
}

// readConfig reads a configuration; "" is lostreceipt.yaml, which need not be
// there.
func readConfig(file string) (config, error) {
	var c config
	name := file
	if name == "" {
		name = configName
	}
	text, err := intake.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && file == "" {
		return c, nil
	}
	if err != nil {
		return c, usage{err}
	}
	return parseConfig(name, text)
}

// lacks are the capabilities that are declared false, sorted.
func (c config) lacks() []string {
	var lacks []string
	for _, name := range slices.Sorted(maps.Keys(c.Capabilities)) {
		if !c.Capabilities[name] {
			lacks = append(lacks, name)
		}
	}
	return lacks
}
