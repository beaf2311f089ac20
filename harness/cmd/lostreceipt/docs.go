package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/cmd/lostreceipt/manual"
	"github.com/lostreceipt/lostreceipt/harness/intake"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

type docsVerb struct {
	Dir      string `arg:"" type:"path" help:"Where the pages are written."`
	Contract string `type:"existingfile" help:"Another contract table than the built-in one." placeholder:"FILE"`
}

// Help is the worked example.
func (docsVerb) Help() string {
	return `Example: reference pages in Markdown, from the program itself: rules, effects, contract, scenarios, protocol, requirements:

    lostreceipt docs reference`
}

// Run runs the verb.
func (v *docsVerb) Run(in *invocation) error {
	table, err := loadContract(v.Contract)
	if err != nil {
		return err
	}
	catalogue, err := loadCatalogue()
	if err != nil {
		return err
	}
	covers, err := covered()
	if err != nil {
		return err
	}
	pages, err := manual.Pages(manual.Sources{
		Contract: table, Catalogue: catalogue, Covers: covers, Schema: scenario.NewSchema(scenario.Options{}),
	})
	if err != nil {
		return err
	}
	for _, p := range pages {
		if err := mayWrite(filepath.Join(v.Dir, p.Name)); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(v.Dir, 0o755); err != nil {
		return usage{err}
	}
	for _, p := range pages {
		if err := os.WriteFile(filepath.Join(v.Dir, p.Name), []byte(p.Text), 0o644); err != nil {
			return usage{err}
		}
	}
	_, err = fmt.Fprintf(in.out, "%s in %s, from %s\n", counted(len(pages), "page"), v.Dir, filepath.Join(v.Dir, pages[0].Name))
	return err
}

// mayWrite refuses a file that docs has not written.
func mayWrite(file string) error {
	text, err := intake.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return usage{err}
	case !strings.HasPrefix(string(text), manual.Generated):
		return misuse("%s was not written by lostreceipt docs: name another directory", file)
	}
	return nil
}
