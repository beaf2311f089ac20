package main

import (
	"encoding/json"
	"errors"

	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

type validateVerb struct {
	Files    []string `arg:"" name:"file" help:"Scenario files."`
	Contract string   `type:"existingfile" help:"Another contract table than the built-in one." placeholder:"FILE"`
	Format   string   `enum:"text,json" default:"text" help:"text, or json: an array of problems."`
}

// Help is the worked example.
func (validateVerb) Help() string {
	return `Example: every mistake of a scenario, with its line, its column and the nearest right spelling:

    lostreceipt validate scenarios/approval/my-case.yaml

The exit status is 0 when all files are right, and 3 when one is not.`
}

// Run runs the verb.
func (v *validateVerb) Run(in *invocation) error {
	table, err := loadContract(v.Contract)
	if err != nil {
		return err
	}
	problems := []scenario.Problem{}
	for _, file := range v.Files {
		s, err := loadFile(file, table)
		var wrong *scenario.Errors
		switch {
		case errors.As(err, &wrong):
			problems = append(problems, wrong.All()...)
		case err != nil:
			problems = append(problems, scenario.Problem{File: file, Message: err.Error()})
		case v.Format == "text":
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
