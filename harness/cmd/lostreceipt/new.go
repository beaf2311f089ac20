package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

type newVerb struct {
	ID  string `arg:"" help:"The scenario's name: small letters, digits and dashes."`
	Dir string `default:"." type:"path" help:"Where the file is written. Default: here." placeholder:"DIR"`
}

// Help is the worked example.
func (newVerb) Help() string {
	return `Example: a scenario to start from, which is right as it stands:

    lostreceipt new late-approval
    lostreceipt validate late-approval.yaml`
}

// Run runs the verb.
func (v *newVerb) Run(in *invocation) error {
	file := filepath.Join(v.Dir, v.ID+".yaml")
	text := startOf(v.ID)
	table, err := loadContract("")
	if err != nil {
		return err
	}
	if _, err := parse(file, []byte(text), table); err != nil {
		var wrong *scenario.Errors
		if errors.As(err, &wrong) {
			return misuse("%q: %s", v.ID, wrong.All()[0].Message)
		}
		return err
	}
	if err := os.MkdirAll(v.Dir, 0o755); err != nil {
		return usage{err}
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return misuse("%s is there already: take another id, or --dir", file)
	}
	if err != nil {
		return usage{err}
	}
	_, err = f.WriteString(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(in.out, "%s\nlostreceipt validate checks it, lostreceipt explain says what it does, lostreceipt run %s -- COMMAND runs it.\n", file, file)
	return err
}

// startOf is a scenario to start from.
func startOf(id string) string {
	title := strings.ReplaceAll(id, "-", " ")
	if title != "" {
		title = strings.ToUpper(title[:1]) + title[1:]
	}
	return fmt.Sprintf(`id: %s
title: %s                # one sentence that a reviewer understands
covers: [B01]            # lostreceipt list requirements
task: purchase-approval

# What the services promise and how they behave, where it differs from the default. For example:
# given:
#   approval.submit: {idempotency: {supported: false}}
#   approval: {replica_lag: 0.5 verification_period}

faults:
  - at: approval.submit#1 replied     # a phase: sent, received, validated, committed, replied, delivered
    do: reset                         # lostreceipt list effects

expect:
  ends: [completed]
  consequences: {approval: 1, notification: 1, purchase: 1}
`, id, title)
}
