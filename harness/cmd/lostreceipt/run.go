package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/reports"
)

// pace are the flags of every verb that runs scenarios.
type pace struct {
	TimeScale   float64 `help:"Multiplies every limit; at 1 an attempt takes at most 8 s. Default 0.05." placeholder:"F"`
	Concurrency int     `help:"How many scenarios run at once. Default: as this machine allows." placeholder:"N"`
	Quiet       bool    `help:"Tell no progress."`
	Format      string  `enum:"text,json" default:"text" help:"text, or json: one line a scenario on standard output, the rest on standard error."`
}

func (p pace) check() error {
	switch {
	case p.TimeScale < 0 || p.TimeScale > 100:
		return misuse("--time-scale %g: want more than 0 and at most 100", p.TimeScale)
	case p.Concurrency < 0:
		return misuse("--concurrency %d: want at least 1", p.Concurrency)
	}
	return nil
}

type runVerb struct {
	Scenarios []string `arg:"" optional:"" name:"scenario" help:"Ids, globs such as 'approval/*', or files. Default: the whole catalogue."`
	agentFlags
	pace
	Out      string `default:"lostreceipt-out" type:"path" help:"Directory for report and evidence. Default ${default}." placeholder:"DIR"`
	Contract string `type:"existingfile" help:"Another contract table than the built-in one." placeholder:"FILE"`
	Config   string `help:"Names the agent and the capabilities that it has not. Default lostreceipt.yaml, where there is one." placeholder:"FILE"`
	Repeat   int    `default:"1" help:"How often each scenario runs." placeholder:"N"`
	Seed     uint64 `help:"Seed of everything that is random. Default: a new one, which is printed." placeholder:"N"`
	Label    string `help:"Only scenarios whose labels or requirements fit, for example 'C1 && !slow'." placeholder:"EXPR"`
}

// Help is the worked example.
func (runVerb) Help() string {
	return `Example: the whole catalogue against an agent of your own, five times each:

    lostreceipt run --repeat 5 -- python3 adapter.py

The exit status is 0 for a pass, 1 for a violation, 2 when nothing was decided or applicable, 3 for wrong usage or input, 4 when the harness failed, 130 when interrupted.`
}

// Run runs the verb.
func (v *runVerb) Run(in *invocation) error {
	if err := v.check(); err != nil {
		return err
	}
	if v.Repeat < 1 {
		return misuse("--repeat %d: want at least 1", v.Repeat)
	}
	cfg, err := readConfig(v.Config)
	if err != nil {
		return err
	}
	command := in.command
	if !in.dashed && !v.Reference && v.Design == "" && v.Defect == "" {
		command = cfg.Agent.Command
	}
	subject, err := v.subject(command)
	if err != nil {
		return err
	}
	if cfg.Agent.Name != "" && subject.report.Kind != reports.KindReference {
		subject.report.Name = cfg.Agent.Name
	}
	table, err := loadContract(v.Contract)
	if err != nil {
		return err
	}
	catalogue, err := loadCatalogue(table)
	if err != nil {
		return err
	}
	selected, err := choose(catalogue, table, v.Scenarios, v.Label)
	if err != nil {
		return err
	}
	if v.Seed == 0 {
		v.Seed = run.NewSeed()
	}
	flags := []string{"--seed", strconv.FormatUint(v.Seed, 10)}
	if v.TimeScale > 0 {
		flags = append(flags, "--time-scale", number(v.TimeScale))
	}
	if v.Contract != "" {
		flags = append(flags, "--contract", v.Contract)
	}
	if v.Config != "" {
		flags = append(flags, "--config", v.Config)
	}
	b := batch{
		subject: subject, table: table, catalogue: catalogue, lacks: cfg.lacks(), out: v.Out, seed: v.Seed, pace: v.pace,
	}
	for _, s := range selected {
		name := s.ID
		if s.outside {
			name = s.File
		}
		b.add(s, v.Repeat, run.Seed(v.Seed, s.ID), subject.repeat(name, flags...))
	}
	return b.run(in)
}

// batch is a set of jobs of one agent that make one report.
type batch struct {
	subject   subject
	table     *contract.Table
	catalogue *scenario.Catalogue
	lacks     []string
	out       string
	seed      uint64
	pace      pace
	limits    contract.Limits // at scale 1; zero: the defaults

	selected []chosen
	jobs     []run.Job
	repeats  int
}

func (b *batch) add(s chosen, repeat int, seed uint64, command string) {
	b.selected = append(b.selected, s)
	b.repeats = max(b.repeats, repeat)
	for n := range repeat {
		b.jobs = append(b.jobs, run.Job{
			Scenario: s.Scenario, Agent: b.subject.agent, N: n + 1, Seed: seed, Lacks: b.lacks, Repeat: command,
		})
	}
}

// run runs the jobs, writes the report and says what it shows.
func (b *batch) run(in *invocation) error {
	out, err := reports.Prepare(b.out)
	if err != nil {
		return usage{err}
	}
	for i := range b.jobs {
		b.jobs[i].Dir = out.Run(b.jobs[i].Scenario.ID, b.jobs[i].N)
	}
	people := in.out
	if b.pace.Format == "json" {
		people = in.err
	}
	start := time.Now()
	report := b.report(start)
	teller := newTeller(in, b)
	results := run.All(in.ctx, b.jobs, run.Shared{
		Contract: b.table, Limits: b.limits, Scale: b.pace.TimeScale, Concurrency: b.pace.Concurrency, Version: build().Version,
		Started: teller.started, Done: teller.done,
	})
	teller.close()
	for _, s := range b.selected {
		if rs := of(results, s.ID); len(rs) > 0 {
			report.Add(reported(s, rs))
		}
	}
	if err := context.Cause(in.ctx); err != nil {
		report.Interrupted = &reports.Interruption{Reason: err.Error()}
	}
	report.Seal(time.Since(start))
	saveErr := out.Save(report)
	fmt.Fprint(people, report.Text(lookOf(people)))
	fmt.Fprintf(people, "Seed %d. Report and evidence: %s\n", b.seed, b.out)
	switch {
	case saveErr != nil:
		return fmt.Errorf("the report could not be written: %w", saveErr)
	case report.Interrupted != nil:
		return exit(statusInterrupted)
	}
	if status := report.Outcome.ExitStatus(); status != 0 {
		return exit(status)
	}
	return nil
}

// report is the report before its results.
func (b *batch) report(start time.Time) *reports.Report {
	r := reports.New()
	r.Agent = b.subject.report
	r.Agent.Lacks = b.lacks
	version := build()
	r.Harness.Version, r.Harness.Commit = version.Version, version.Commit
	r.Contract = reports.Contract{Version: strconv.Itoa(b.table.Version), Digest: b.table.Digest}
	r.Catalogue = reports.Catalogue{Digest: b.catalogue.Digest(), Count: len(b.catalogue.All())}
	r.Scale = b.pace.TimeScale
	if r.Scale == 0 {
		r.Scale = contract.DefaultScale
	}
	limits := b.limits
	if limits == (contract.Limits{}) {
		limits = contract.Defaults()
	}
	r.Limits, r.Seed, r.Stack, r.Started = limits.Scale(r.Scale), b.seed, "embedded", start
	for _, s := range b.selected {
		r.Selected = append(r.Selected, s.ID)
	}
	return r
}

// of are the results of one scenario.
func of(results []run.Result, id string) []run.Result {
	return slices.DeleteFunc(slices.Clone(results), func(r run.Result) bool {
		return r.Job.Scenario.ID != id || (r.Interrupted && r.Verdict.Outcome != judge.Violation)
	})
}

// reported is what a report says of one scenario.
func reported(s chosen, results []run.Result) reports.Scenario {
	out := reports.Scenario{
		ID: s.ID, Title: s.Title, Covers: s.Covers, Digest: scenario.Digest([]*scenario.Scenario{s.Scenario}), Outside: s.outside,
		Guarantees: results[0].Guarantees, Lacking: results[0].Lacking,
	}
	for _, r := range results {
		out.Repetitions = append(out.Repetitions, repetition(r))
	}
	return out
}

func repetition(r run.Result) reports.Repetition {
	rep := reports.Repetition{N: r.Job.N, Outcome: r.Verdict.Outcome, Duration: r.Took, Problem: r.Problem, Verdict: r.Verdict}
	if r.Reason != "" {
		rep.Evidence = reports.Evidence(r.Job.Scenario.ID, r.Job.N)
	}
	return rep
}

func lookOf(w io.Writer) reports.Look { return reports.LookOf(w, os.Environ()) }

// teller tells how far a run is: to people, and with --format json to programs.
type teller struct {
	progress *reports.Progress
	stream   *reports.Stream
	repeats  int
	scenes   map[string]chosen

	mu   sync.Mutex
	have map[string][]run.Result
}

func newTeller(in *invocation, b *batch) *teller {
	t := &teller{repeats: b.repeats, scenes: map[string]chosen{}, have: map[string][]run.Result{}}
	t.progress = reports.NewProgress(in.err, lookOf(in.err), len(b.jobs), b.pace.Quiet)
	if b.pace.Format == "json" {
		t.stream = reports.NewStream(in.out)
	}
	for _, s := range b.selected {
		t.scenes[s.ID] = s
	}
	return t
}

func (t *teller) started(j run.Job) { t.progress.Started(j.Scenario.ID) }

func (t *teller) done(r run.Result) {
	id := r.Job.Scenario.ID
	t.progress.Finished(reports.StepOf(id, repetition(r), t.repeats))
	t.mu.Lock()
	defer t.mu.Unlock()
	t.have[id] = append(t.have[id], r)
	if t.stream == nil || len(t.have[id]) < t.repeats {
		return
	}
	if rs := of(t.have[id], id); len(rs) > 0 {
		slices.SortFunc(rs, func(a, b run.Result) int { return a.Job.N - b.Job.N })
		_ = t.stream.Scenario(reported(t.scenes[id], rs)) // whoever reads it has gone; the report is written all the same
	}
}

func (t *teller) close() { t.progress.Close() }
