package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

type validateVerb struct {
	Files    []string `arg:"" name:"file" help:"Scenario files; of a directory, every *.yaml file below it."`
	Contract string   `type:"existingfile" help:"Another contract table than the built-in one." placeholder:"FILE"`
	Format   string   `enum:"text,json" default:"text" help:"text, or json: an array of problems."`
}

// Help is the worked example.
func (validateVerb) Help() string {
	return `Example: every mistake of a scenario, with its line, its column and the nearest right spelling:

    lostreceipt validate scenarios/approval/my-case.yaml

A file is named after its scenario, and no two have the same id. The exit status is 0 when all files are right, and 3 when one is not.`
}

// Run runs the verb.
func (v *validateVerb) Run(in *invocation) error {
	table, err := loadContract(v.Contract)
	if err != nil {
		return err
	}
	files, problems := scenarioFiles(v.Files)
	first := map[string]string{} // id -> file
	for _, file := range files {
		s, err := loadFile(file, table)
		var wrong *scenario.Errors
		switch {
		case errors.As(err, &wrong):
			problems = append(problems, wrong.All()...)
			continue
		case err != nil:
			problems = append(problems, scenario.Problem{File: file, Message: strings.TrimPrefix(err.Error(), file+": ")})
			continue
		}
		misnamed := scenario.Misnamed(s, first)
		first[s.ID] = cmp.Or(first[s.ID], file)
		problems = append(problems, misnamed...)
		if len(misnamed) == 0 && v.Format == "text" {
			say(in.out, "%s: %s is right\n", file, s.ID)
		}
	}
	if v.Format == "json" {
		out := json.NewEncoder(in.out)
		out.SetIndent("", "  ")
		if err := out.Encode(shown(problems)); err != nil {
			return err
		}
	} else {
		for _, p := range problems {
			say(in.err, "%s\n", p)
		}
	}
	if len(problems) > 0 {
		return exit(statusUsage)
	}
	return nil
}

// problem is a problem in JSON.
type problem struct {
	File       string `json:"file"`
	Line       int    `json:"line,omitempty"`
	Column     int    `json:"column,omitempty"`
	Message    string `json:"message"`
	Suggestion string `json:"suggestion,omitempty"`
}

func shown(problems []scenario.Problem) []problem {
	out := []problem{}
	for _, p := range problems {
		out = append(out, problem{p.File, p.Line, p.Column, p.Message, p.Suggestion})
	}
	return out
}

// scenarioFiles are the files that are named, each once, and in place of a
// directory every *.yaml file below it but for what stands there beside
// scenarios: hidden files, the contract table, the list of requirements and the
// configuration.
func scenarioFiles(names []string) (files []string, problems []scenario.Problem) {
	add := func(file string) {
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	for _, name := range names {
		if !isDir(name) {
			add(name)
			continue
		}
		before := len(files)
		err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case path != name && strings.HasPrefix(d.Name(), ".") && d.IsDir():
				return fs.SkipDir
			case d.IsDir() || filepath.Ext(path) != ".yaml" || slices.Contains(noScenarios, d.Name()):
				return nil
			}
			add(path)
			return nil
		})
		switch {
		case err != nil:
			problems = append(problems, scenario.Problem{File: name, Message: err.Error()})
		case len(files) == before:
			problems = append(problems, scenario.Problem{File: name, Message: "no *.yaml file stands below this directory: name scenario files, or the directory that they are in"})
		}
	}
	return files, problems
}

// noScenarios are the names of files that stand beside scenarios.
var noScenarios = []string{scenario.ContractFile, scenario.RequirementsFile, configName, policyName}
