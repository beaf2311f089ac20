package main

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
)

// version of the module where it was built without version control, as a test is.
const unversioned = "devel"

// built says what this program was built from.
type built struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
}

func build() built {
	b := built{Version: unversioned}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			b.Commit = s.Value + b.Commit
		case s.Key == "vcs.modified" && s.Value == "true":
			b.Commit += "+changes"
		}
	}
	return b
}

type versionVerb struct {
	Format string `enum:"text,json" default:"text" help:"text or json."`
}

// Help is the worked example.
func (versionVerb) Help() string {
	return `Example: what a report names as its contract and catalogue:

    lostreceipt version --format json`
}

// Run runs the verb.
func (v *versionVerb) Run(in *invocation) error {
	table, err := loadContract("")
	if err != nil {
		return err
	}
	catalogue, err := loadCatalogue()
	if err != nil {
		return err
	}
	b := build()
	if v.Format == "json" {
		return json.NewEncoder(in.out).Encode(struct {
			built
			Contract  string `json:"contract"`
			Catalogue string `json:"catalogue"`
			Scenarios int    `json:"scenarios"`
		}{b, table.Digest, catalogue.Digest(), len(catalogue.All())})
	}
	_, err = fmt.Fprintf(in.out, "lostreceipt %s %s\ncontract  %s\ncatalogue %s (%d scenarios)\n",
		b.Version, b.Commit, table.Digest, catalogue.Digest(), len(catalogue.All()))
	return err
}
