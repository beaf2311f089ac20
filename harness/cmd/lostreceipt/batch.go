package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/reports"
)

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
	stacks    run.Stacks      // nil: embedded
	repeat    string          // the command that repeats the whole

	shard    *reports.Shard // nil: it is a whole run
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
	out, err := prepared(in, b.out)
	if err != nil {
		return err
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
	shared := b.pace.shared()
	shared.Contract, shared.Limits, shared.Started, shared.Done = b.table, b.limits, teller.started, teller.done
	shared.Stacks = b.stacks
	results := run.All(in.ctx, b.jobs, shared)
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
	say(people, "%s", speechless(results, b.subject))
	say(people, "%s", report.Text(lookOf(people)))
	if b.pace.Annotations || reports.OnGitHub(os.Environ()) {
		for _, a := range report.Annotations() {
			say(people, "%s\n", a)
		}
	}
	say(people, "Seed %d. Report and evidence: %s\n", b.seed, b.out)
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

// prepared makes a directory ready for what a verb writes, and says so before it
// takes anything away.
func prepared(in *invocation, dir string) (reports.Out, error) {
	if reports.Earlier(dir) {
		say(in.err, "Taking away the report and the evidence of an earlier run in %s.\n", dir)
	}
	out, err := reports.Prepare(dir)
	if err != nil {
		return "", usage{err}
	}
	return out, nil
}

// report is the report before its results.
func (b *batch) report(start time.Time) *reports.Report {
	r := reports.New()
	r.Agent = b.subject.report
	r.Agent.Lacks = b.lacks
	version := build()
	r.Harness.Version, r.Harness.Commit = version.Version, version.Commit
	r.Contract = reports.ContractOf(b.table)
	r.Catalogue = reports.CatalogueOf(b.catalogue.All())
	r.Repeat, r.Shard = b.repeat, b.shard
	r.Scale = b.pace.TimeScale
	limits := b.limits
	if limits == (contract.Limits{}) {
		limits = contract.Defaults()
	}
	r.Limits, r.Seed, r.Stack, r.Started = limits.Scale(r.Scale), b.seed, b.pace.Stack, start
	for _, s := range b.selected {
		r.Selected = append(r.Selected, s.ID)
	}
	return r
}

// of are the results of one scenario.
func of(results []run.Result, id string) []run.Result {
	return slices.DeleteFunc(slices.Clone(results), func(r run.Result) bool {
		return r.Job.Scenario.ID != id || r.CutOff()
	})
}

// reported is what a report says of one scenario.
func reported(s chosen, results []run.Result) reports.Scenario {
	out := run.Reported(results...)
	out.Outside = s.outside
	return out
}

func lookOf(w io.Writer) reports.Look { return reports.LookOf(w, os.Environ()) }
