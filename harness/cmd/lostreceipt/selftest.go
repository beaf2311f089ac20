package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	fakeagent "github.com/lostreceipt/lostreceipt/fakes/agent"
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/reports"
)

type selftestVerb struct {
	Only []string `arg:"" optional:"" name:"name" help:"Only these designs and defects. Default: all."`
	pace
	All  bool   `help:"Run every defect in every scenario, and not only in those that it names."`
	Out  string `default:"lostreceipt-selftest" type:"path" help:"Directory for report and evidence. Default ${default}." placeholder:"DIR"`
	Seed uint64 `help:"Seed of everything that is random. Default: a new one, which is printed." placeholder:"N"`
}

// Help is the worked example.
func (selftestVerb) Help() string {
	return `Example: only one defect, in every scenario:

    lostreceipt selftest --all blind-retry

Every correct design must be clean in every scenario, and every defect must be found, by the rule made for it, in at least one scenario whose faults fired.`
}

// trial is one design or defect and what became of it.
type trial struct {
	name    string
	defect  *fakeagent.Info // nil: a design
	subject subject
	results []run.Result
}

// Run runs the verb.
func (v *selftestVerb) Run(in *invocation) error {
	if err := v.check(); err != nil {
		return err
	}
	table, err := loadContract("")
	if err != nil {
		return err
	}
	catalogue, err := loadCatalogue(table)
	if err != nil {
		return err
	}
	trials, err := v.trials()
	if err != nil {
		return err
	}
	out, err := reports.Prepare(v.Out)
	if err != nil {
		return usage{err}
	}
	if v.Seed == 0 {
		v.Seed = run.NewSeed()
	}
	jobs := v.jobs(trials, catalogue, out)
	people := in.out
	if v.Format == "json" {
		people = in.err
	}
	progress := reports.NewProgress(in.err, lookOf(in.err), len(jobs), v.Quiet)
	start := time.Now()
	results := run.All(in.ctx, jobs, run.Shared{
		Contract: table, Scale: v.TimeScale, Concurrency: v.Concurrency, Version: build().Version,
		Started: func(j run.Job) { progress.Started(j.Scenario.ID) },
		Done:    func(r run.Result) { progress.Finished(step(r)) },
	})
	progress.Close()
	for _, t := range trials {
		for _, r := range results {
			if r.Job.Label == t.name {
				t.results = append(t.results, r)
			}
		}
	}
	proof := prove(trials, table)
	report := v.report(trials, table, catalogue, proof.SelfTest, start)
	if cause := context.Cause(in.ctx); cause != nil {
		report.Interrupted = &reports.Interruption{Reason: cause.Error()}
	}
	report.Seal(time.Since(start))
	if err := out.Save(report); err != nil {
		return fmt.Errorf("the report could not be written: %w", err)
	}
	if v.Format == "json" {
		if err := json.NewEncoder(in.out).Encode(proof); err != nil {
			return err
		}
	}
	tell(people, proof)
	fmt.Fprintf(people, "%d runs in %s. Seed %d. Evidence: %s\n", len(results), time.Since(start).Round(100*time.Millisecond), v.Seed, v.Out)
	switch {
	case report.Interrupted != nil:
		return exit(statusInterrupted)
	case len(proof.Failures) > 0:
		return exit(proof.status())
	}
	return nil
}

// trials are the designs and defects that are asked for.
func (v *selftestVerb) trials() ([]*trial, error) {
	var all []*trial
	asked := func(name string) bool { return len(v.Only) == 0 || slices.Contains(v.Only, name) }
	for _, d := range fakeagent.Designs() {
		if !asked(d.Name) {
			continue
		}
		s, err := reference(d.Name, "")
		if err != nil {
			return nil, err
		}
		all = append(all, &trial{name: d.Name, subject: s})
	}
	for _, d := range fakeagent.Defects() {
		if !asked(d.Name) {
			continue
		}
		s, err := reference("", d.Name)
		if err != nil {
			return nil, err
		}
		all = append(all, &trial{name: d.Name, defect: &d, subject: s})
	}
	for _, name := range v.Only {
		if !slices.ContainsFunc(all, func(t *trial) bool { return t.name == name }) {
			return nil, known("defect", name, append(fakeagent.Defects(), fakeagent.Designs()...))
		}
	}
	return all, nil
}

// jobs are all runs of the self-test. A design runs in every scenario; a
// defect in those that it names, as far as there are any.
func (v *selftestVerb) jobs(trials []*trial, c *scenario.Catalogue, out reports.Out) []run.Job {
	var jobs []run.Job
	for _, t := range trials {
		chosen := c.All()
		if t.defect != nil && !v.All {
			named := slices.DeleteFunc(c.All(), func(s *scenario.Scenario) bool { return !slices.Contains(t.defect.Scenarios, s.ID) })
			if len(named) > 0 {
				chosen = named
			}
		}
		for _, s := range chosen {
			flags := []string{"--seed", strconv.FormatUint(v.Seed, 10)}
			if v.TimeScale > 0 {
				flags = append(flags, "--time-scale", number(v.TimeScale))
			}
			jobs = append(jobs, run.Job{
				Scenario: s, Agent: t.subject.agent, Seed: run.Seed(v.Seed, s.ID), Label: t.name,
				Dir: evidenceOf(out, t.name, s.ID), Repeat: t.subject.repeat(s.ID, flags...),
			})
		}
	}
	return jobs
}

// evidenceOf is DIR/runs/TRIAL/SCENARIO/1.
func evidenceOf(out reports.Out, trial, scenario string) reports.RunDir {
	return reports.RunDir(filepath.Join(string(out), "runs", trial, scenario, "1"))
}

func step(r run.Result) reports.Step {
	id := r.Job.Label + " in " + r.Job.Scenario.ID
	return reports.StepOf(id, run.Reported(r).Repetitions[0], 1)
}

// proof is what the self-test shows.
type proof struct {
	reports.SelfTest
	// Failures say what is wrong, a sentence each. None: the judge bites.
	Failures []string `json:"failures"`
	// Unproven are rules that no defect of this run made fire, and that none claims.
	Unproven []string `json:"unproven"`
	// UncoveredRows are rows of the contract that no correct design met.
	UncoveredRows []string `json:"uncovered_rows"`

	worst judge.Outcome
}

// status is the exit status of a self-test that failed.
func (p *proof) status() int {
	if s := p.worst.ExitStatus(); s > 1 {
		return s
	}
	return 1
}

func prove(trials []*trial, table *contract.Table) *proof {
	p := &proof{worst: judge.Violation}
	p.Designs, p.Kills, p.Failures = []reports.Design{}, []reports.Kill{}, []string{}
	fired, rows := map[string]bool{}, map[string]bool{}
	for _, t := range trials {
		if t.defect == nil {
			p.design(t)
			for _, r := range t.results {
				for _, c := range r.Verdict.Cells {
					rows[c.Row] = true
				}
			}
			continue
		}
		p.defect(t, fired)
	}
	for _, r := range judge.Rules() {
		if !fired[r.ID] && r.Party == judge.Agent {
			p.Unproven = append(p.Unproven, r.ID)
		}
	}
	for _, r := range table.Rows {
		if !rows[r.ID] {
			p.UncoveredRows = append(p.UncoveredRows, r.ID)
		}
	}
	return p
}

// design demands that a correct design is clean everywhere.
func (p *proof) design(t *trial) {
	d := reports.Design{Name: t.name, Scenarios: len(t.results)}
	var outcomes []judge.Outcome
	for _, r := range t.results {
		outcomes = append(outcomes, r.Verdict.Outcome)
		if r.Verdict.Outcome == judge.Pass {
			continue
		}
		d.Problems = append(d.Problems, fmt.Sprintf("%s: %s: %s", r.Job.Scenario.ID, r.Verdict.Outcome, why(r.Verdict)))
	}
	d.Outcome = judge.Worst(outcomes)
	p.Designs = append(p.Designs, d)
	for _, problem := range d.Problems {
		p.Failures = append(p.Failures, "the correct design "+t.name+" is not clean in "+problem)
	}
}

// why names the rules or the reason of a verdict.
func why(v judge.Verdict) string {
	if rules := rulesOf(v); len(rules) > 0 {
		return strings.Join(rules, ", ")
	}
	return strings.Join(v.Reasons, "; ")
}

func rulesOf(v judge.Verdict) []string {
	var rules []string
	for _, f := range v.Findings {
		if !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	return rules
}

// defect demands that a defect is found by the rule made for it.
func (p *proof) defect(t *trial, fired map[string]bool) {
	found := map[string]int{}
	for _, r := range t.results {
		k := reports.Kill{Defect: t.name, Rule: t.defect.Rule, Scenario: r.Job.Scenario.ID, Rules: certain(r.Verdict)}
		switch {
		case r.Void() || r.Verdict.Outcome == judge.HarnessError:
			k.Result = reports.Void
		case slices.Contains(k.Rules, k.Rule):
			k.Result = reports.Killed
		case r.Verdict.Outcome == judge.Violation:
			k.Result = reports.WrongReason
		default:
			k.Result = reports.Survived
		}
		for _, rule := range k.Rules {
			fired[rule] = true
		}
		found[k.Result]++
		p.Kills = append(p.Kills, k)
	}
	switch {
	case found[reports.Killed] > 0:
	case found[reports.WrongReason] > 0:
		p.Failures = append(p.Failures, fmt.Sprintf("the defect %s is found by other rules only, and never by %s", t.name, t.defect.Rule))
	case found[reports.Survived] > 0:
		p.Failures = append(p.Failures, fmt.Sprintf("the defect %s survives: %s does not fire", t.name, t.defect.Rule))
	default:
		p.Failures = append(p.Failures, fmt.Sprintf("the defect %s never met its fault", t.name))
	}
}

// certain are the rules that the evidence forces.
func certain(v judge.Verdict) []string {
	var rules []string
	for _, f := range v.Findings {
		if !f.Uncertain && !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	return rules
}

// report is the reference's own report, with the self-test in it.
func (v *selftestVerb) report(trials []*trial, table *contract.Table, c *scenario.Catalogue, self reports.SelfTest, start time.Time) *reports.Report {
	b := batch{table: table, catalogue: c, seed: v.Seed, pace: v.pace}
	i := slices.IndexFunc(trials, func(t *trial) bool { return t.name == fakeagent.Reference })
	if i >= 0 {
		b.subject = trials[i].subject
		for _, s := range c.All() {
			b.selected = append(b.selected, chosen{Scenario: s})
		}
	}
	r := b.report(start)
	r.SelfTest = &self
	for _, s := range b.selected {
		rs := of(trials[i].results, s.ID)
		if len(rs) == 0 {
			continue
		}
		added := reported(s, rs)
		for k := range added.Repetitions {
			added.Repetitions[k].Evidence = path.Join("runs", fakeagent.Reference, s.ID, "1")
		}
		r.Add(added)
	}
	return r
}

// tell prints the kill matrix and what is wrong.
func tell(out interface{ Write([]byte) (int, error) }, p *proof) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "DESIGN\tSCENARIOS\tRESULT")
	for _, d := range p.Designs {
		fmt.Fprintf(w, "%s\t%d\t%s\n", d.Name, d.Scenarios, d.Outcome)
	}
	fmt.Fprintln(w, "\nDEFECT\tRULE MADE FOR IT\tKILLED IN\tELSEWHERE")
	for _, name := range defectsOf(p.Kills) {
		var killed, other []string
		rule := ""
		for _, k := range p.Kills {
			switch {
			case k.Defect != name:
				continue
			case k.Result == reports.Killed:
				killed = append(killed, k.Scenario)
			default:
				other = append(other, k.Scenario+" "+k.Result+rulesIn(k))
			}
			rule = k.Rule
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", name, rule, brief(killed), brief(other))
	}
	_ = w.Flush() // the writer below it has said so already
	if len(p.Unproven) > 0 {
		fmt.Fprintf(out, "\nRules about agents that nothing violated here: %s\n", strings.Join(p.Unproven, ", "))
	}
	if len(p.UncoveredRows) > 0 {
		fmt.Fprintf(out, "Rows of the contract that no correct design met: %s\n", strings.Join(p.UncoveredRows, ", "))
	}
	fmt.Fprintln(out)
	for _, f := range p.Failures {
		fmt.Fprintln(out, "FAIL:", f)
	}
	if len(p.Failures) == 0 {
		fmt.Fprintf(out, "PASS: %s clean, and %s found by the rule made for it.\n",
			counted(len(p.Designs), "correct design"), counted(len(defectsOf(p.Kills)), "defect"))
	}
}

func rulesIn(k reports.Kill) string {
	if len(k.Rules) == 0 {
		return ""
	}
	return " (" + strings.Join(k.Rules, ", ") + ")"
}

func defectsOf(kills []reports.Kill) []string {
	var names []string
	for _, k := range kills {
		if !slices.Contains(names, k.Defect) {
			names = append(names, k.Defect)
		}
	}
	return names
}

// brief is the first few of a list.
func brief(list []string) string {
	const most = 3
	if n := len(list) - most; n > 0 {
		return strings.Join(list[:most], ", ") + fmt.Sprintf(" and %d more", n)
	}
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, ", ")
}
