package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/onsi/ginkgo/v2/types"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/intake"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/scenarios"
)

// loadContract reads a contract table from a file, or the one that ships with
// the harness.
func loadContract(file string) (*contract.Table, error) {
	if file == "" {
		return scenarios.Contract()
	}
	text, err := intake.ReadFile(file)
	if err != nil {
		return nil, usage{err}
	}
	table, err := contract.Parse(file, text)
	if err != nil {
		return nil, usage{err}
	}
	return table, nil
}

// options are what scenarios are checked against.
func options(table *contract.Table, root string) (scenario.Options, error) {
	list, err := scenarios.Requirements()
	if err != nil {
		return scenario.Options{}, err
	}
	o := scenario.Options{Root: root, Requirements: list.IDs()}
	for _, row := range table.Rows {
		o.Rows = append(o.Rows, row.ID)
	}
	for _, rule := range judge.Rules() {
		o.Rules = append(o.Rules, rule.ID)
	}
	return o, nil
}

// loadCatalogue reads the scenarios that ship with the harness. The rows that
// they name are those of the table that ships with it: another may have others.
func loadCatalogue() (*scenario.Catalogue, error) {
	table, err := scenarios.Contract()
	if err != nil {
		return nil, err
	}
	o, err := options(table, "scenarios")
	if err != nil {
		return nil, err
	}
	return scenario.LoadDir(scenarios.Catalogue, o)
}

// chosen is one scenario that is to run.
type chosen struct {
	*scenario.Scenario
	outside bool // it is a file, and not of the catalogue
}

// choose finds what the arguments name: ids, globs and paths of the catalogue,
// and files. Without arguments it is the whole catalogue.
func choose(c *scenario.Catalogue, table *contract.Table, args []string, label string) ([]chosen, error) {
	var patterns, files []string
	for _, arg := range args {
		if isFile(arg) {
			files = append(files, arg)
		} else {
			patterns = append(patterns, arg)
		}
	}
	var all []chosen
	if len(patterns) > 0 || len(files) == 0 {
		selected, err := c.Select(patterns...)
		if err != nil {
			for _, p := range patterns {
				if _, missing := c.Select(p); missing != nil && there(p+".yaml") {
					return nil, usage{fmt.Errorf("%w; there is a file of that name: write ./%s.yaml", err, p)}
				}
			}
			return nil, usage{err}
		}
		for _, s := range selected {
			all = append(all, chosen{Scenario: s})
		}
	}
	for _, file := range files {
		s, err := loadFile(file, table)
		if err != nil {
			return nil, usage{err}
		}
		if i := slices.IndexFunc(all, func(o chosen) bool { return o.ID == s.ID }); i >= 0 {
			return nil, misuse("%s: the id %q is that of %s as well: give it another", file, s.ID, all[i].File)
		}
		all = append(all, chosen{Scenario: s, outside: true})
	}
	return labelled(all, label)
}

// labelled keeps the scenarios whose labels, requirements or id fit.
func labelled(all []chosen, label string) ([]chosen, error) {
	if label == "" {
		return all, nil
	}
	fits, err := types.ParseLabelFilter(label)
	if err != nil {
		return nil, misuse("--label %q: not an expression: write labels, requirements or ids joined by && and ||, with ! and brackets, such as 'C1 && !slow'", label)
	}
	kept := slices.DeleteFunc(all, func(s chosen) bool { return !fits(slices.Concat(s.Labels, s.Covers, []string{s.ID})) })
	if len(kept) == 0 {
		return nil, misuse("--label %q: no scenario that was selected has labels or requirements that fit", label)
	}
	return kept, nil
}

// isFile tells whether an argument names a file rather than a scenario of the
// catalogue.
func isFile(arg string) bool {
	ext := filepath.Ext(arg)
	return ext == ".yaml" || ext == ".yml"
}

func there(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular()
}

func loadFile(file string, table *contract.Table) (*scenario.Scenario, error) {
	text, err := intake.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if len(text) > scenario.MaxSize {
		return nil, fmt.Errorf("%s: the file has %d bytes; a scenario has at most %d", file, len(text), scenario.MaxSize)
	}
	return parse(file, text, table)
}

// parse reads a scenario that is not of the catalogue.
func parse(file string, text []byte, table *contract.Table) (*scenario.Scenario, error) {
	o, err := options(table, "")
	if err != nil {
		return nil, err
	}
	return scenario.Parse(file, text, o)
}
