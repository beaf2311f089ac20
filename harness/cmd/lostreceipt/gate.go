package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	fakeagent "github.com/lostreceipt/lostreceipt/fakes/agent"
	"github.com/lostreceipt/lostreceipt/harness/intake"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/reports"
	"github.com/lostreceipt/lostreceipt/reports/gate"
	"github.com/lostreceipt/lostreceipt/scenarios"
)

type gateVerb struct {
	Report      string `arg:"" type:"path" help:"The directory that a run wrote, with its evidence, or its report.json."`
	Policy      string `type:"path" help:"What must hold. Default: everything, for any agent but the reference." placeholder:"FILE"`
	Baseline    string `type:"path" help:"An earlier report of the same agent: says what is new, fixed and unchanged." placeholder:"REPORT"`
	Build       string `help:"The build of the agent that is to be released: the report must be of a run with the same --build." placeholder:"TEXT"`
	HTML        string `name:"html" type:"path" help:"Draw the report again, with the gate's decision at its head." placeholder:"FILE"`
	Annotations bool   `help:"Write GitHub annotations. Default: when GITHUB_ACTIONS is true."`
	Format      string `enum:"text,json" default:"text" help:"text, or json: the decision on standard output."`
}

// Help is the worked example.
func (gateVerb) Help() string {
	return `Example: whether this build may be released, and what changed since the last one:

    lostreceipt gate lostreceipt-out/report.json --policy gate.yaml --build "$(git rev-parse HEAD)" --baseline last/report.json

The SHA-256 of each stored history is compared with the one in the report. A report.json that stands alone, with no runs/
beside it, is taken without; the decision says so.

The exit status is 0 when it passes, 1 when it does not, and 3 when the report or the policy cannot be read.`
}

// Run runs the verb.
func (v *gateVerb) Run(in *invocation) error {
	known, err := holdings()
	if err != nil {
		return err
	}
	policy := &gate.Policy{}
	if v.Policy != "" {
		text, err := intake.ReadFile(v.Policy)
		if err != nil {
			return usage{err}
		}
		if policy, err = gate.Parse(named(v.Policy), text, known); err != nil {
			return usage{err}
		}
	}
	policy.Build = v.Build
	report, dir, err := readReport(v.Report)
	if err != nil {
		return err
	}
	evidence := report.CheckEvidence(dir, isDir(v.Report))
	known.Evidence = &evidence
	decision := gate.Decide(report, policy, known, time.Now())
	if v.Baseline != "" {
		before, _, err := readReport(v.Baseline)
		if err != nil {
			return err
		}
		if decision.Baseline, err = gate.Compare(before, report); err != nil {
			return usage{err}
		}
	}
	people := in.out
	if v.Format == "json" {
		people = in.err
		out := json.NewEncoder(in.out)
		out.SetIndent("", "  ")
		if err := out.Encode(decision); err != nil {
			return err
		}
	}
	say(people, "%s", decision.Text())
	if v.Annotations || reports.OnGitHub(os.Environ()) {
		for _, a := range decision.Annotations() {
			say(people, "%s\n", a)
		}
	}
	if v.HTML != "" {
		if err := report.SaveHTML(v.HTML, dir, decision.Page()); err != nil {
			return err
		}
	}
	if !decision.Passed {
		return exit(1)
	}
	return nil
}

// named is a path as its user wrote it, as far as that is known: kong makes
// paths absolute.
func named(path string) string {
	wd, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(wd, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// readReport reads a report, and says where it stands. path may name its
// directory.
func readReport(path string) (*reports.Report, string, error) {
	if isDir(path) {
		path = reports.Out(path).Report()
	}
	r, err := reports.Read(named(path))
	if err != nil {
		return nil, "", usage{err}
	}
	return r, filepath.Dir(path), nil
}

// holdings are what this program holds, to hold reports against.
func holdings() (gate.Known, error) {
	table, err := scenarios.Contract()
	if err != nil {
		return gate.Known{}, err
	}
	list, err := scenarios.Requirements()
	if err != nil {
		return gate.Known{}, err
	}
	catalogue, err := loadCatalogue()
	if err != nil {
		return gate.Known{}, err
	}
	k := gate.Known{
		Scenarios: map[string]string{}, Catalogue: catalogue.Digest(), Contract: table.Digest,
		Requirements: list.IDs(), Capabilities: scenario.Capabilities(),
	}
	for _, s := range catalogue.All() {
		k.Scenarios[s.ID] = scenario.Digest([]*scenario.Scenario{s})
	}
	for _, r := range table.Rows {
		k.Rows = append(k.Rows, r.ID)
	}
	for _, r := range judge.Rules() {
		k.Rules = append(k.Rules, r.ID)
		if !slices.Contains(k.Families, string(r.Family)) {
			k.Families = append(k.Families, string(r.Family))
		}
	}
	for _, d := range fakeagent.Designs() {
		k.Designs = append(k.Designs, d.Name)
	}
	for _, d := range fakeagent.Defects() {
		k.Defects = append(k.Defects, d.Name)
	}
	return k, nil
}
