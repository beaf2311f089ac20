package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	fakeagent "github.com/lostreceipt/lostreceipt/fakes/agent"
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
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

	where run.Stacks // nil: in this process
}

// Help is the worked example.
func (selftestVerb) Help() string {
	return `Example: only one defect, in every scenario:

    lostreceipt selftest --all blind-retry

Every correct design must be clean in every scenario, and every defect must be found, by the rule made for it, in at least one scenario whose faults fired.
Each rule about agents must be violated by some defect, and each row of the contract met by some correct design: everywhere where a scenario says so (expect.rows).`
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
	catalogue, err := loadCatalogue()
	if err != nil {
		return err
	}
	trials, err := v.trials()
	if err != nil {
		return err
	}
	out, err := prepared(in, v.Out)
	if err != nil {
		return err
	}
	if v.Seed == 0 {
		v.Seed = run.NewSeed()
	}
	people := in.out
	if v.Format == "json" {
		people = in.err
	}
	v.pace = v.forStack()
	where, leave, err := v.stacks(in)
	if err != nil {
		return err
	}
	defer leave()
	v.where = where.stacks()
	start := time.Now()
	runs := v.run(in, v.jobs(trials, catalogue, out), trials, table, v.Concurrency)
	for range retries {
		again := unsettled(trials)
		if len(again) == 0 || in.ctx.Err() != nil {
			break
		}
		say(people, "%s left nothing decided; once more, a few at a time.\n", counted(len(again), "run"))
		runs += v.run(in, again, trials, table, runtime.GOMAXPROCS(0))
	}
	proof := prove(trials, table, contract.Defaults().Scale(v.TimeScale).AttemptTimeout/2, len(v.Only) == 0)
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
	if v.Annotations || reports.OnGitHub(os.Environ()) {
		for _, a := range report.Annotations() {
			say(people, "%s\n", a)
		}
	}
	say(people, "%d runs in %s. Seed %d. Evidence: %s\n", runs, time.Since(start).Round(100*time.Millisecond), v.Seed, v.Out)
	switch {
	case report.Interrupted != nil:
		return exit(statusInterrupted)
	case len(proof.Failures) > 0:
		return exit(judge.Worst(proof.outcomes).ExitStatus())
	}
	return nil
}

// retries is how often runs that decided nothing are made again.
const retries = 2

// run runs jobs, gives each trial its results, in place of earlier ones, and
// returns how many there were.
func (v *selftestVerb) run(in *invocation, jobs []run.Job, trials []*trial, table *contract.Table, concurrency int) int {
	progress := reports.NewProgress(in.err, lookOf(in.err), len(jobs), v.Quiet)
	defer progress.Close()
	shared := v.shared()
	shared.Contract, shared.Concurrency, shared.Stacks = table, concurrency, v.where
	shared.Started = func(j run.Job) { progress.Started(j.Scenario.ID) }
	shared.Done = func(r run.Result) { progress.Finished(step(r, trials)) }
	results := run.All(in.ctx, jobs, shared)
	for _, r := range results {
		if r.Interrupted {
			continue
		}
		t := trials[slices.IndexFunc(trials, func(t *trial) bool { return t.name == r.Job.Label })]
		t.results = slices.DeleteFunc(t.results, func(old run.Result) bool { return old.Job.Scenario == r.Job.Scenario })
		t.results = append(t.results, r)
	}
	return len(results)
}

// unsettled are the runs that may decide something on a quieter machine: those
// of a correct design that are undetermined or, as when no attempt of it ended in
// its time, met no fault, and those of a defect that nothing
// has killed, since what rests on time is not held against anybody when the
// machine is late itself.
func unsettled(trials []*trial) []run.Job {
	var jobs []run.Job
	for _, t := range trials {
		killed := slices.ContainsFunc(t.results, func(r run.Result) bool { return t.defect != nil && t.kill(r) == reports.Killed })
		for _, r := range t.results {
			nothing := r.Verdict.Outcome == judge.Undetermined || r.Verdict.Outcome == judge.Vacuous
			if t.defect == nil && nothing || t.defect != nil && !killed {
				jobs = append(jobs, r.Job)
			}
		}
	}
	return jobs
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
			if !v.has(s) {
				continue
			}
			flags := []string{"--seed", strconv.FormatUint(v.Seed, 10)}
			if v.TimeScale != contract.DefaultScale {
				flags = append(flags, "--time-scale", number(v.TimeScale))
			}
			jobs = append(jobs, run.Job{
				Scenario: s, Agent: t.subject.agent, Seed: run.Seed(v.Seed, s.ID), Label: t.name,
				Dir: evidenceOf(out, t.name, s.ID), Repeat: t.subject.repeat([]string{s.ID}, flags...),
			})
		}
	}
	return jobs
}

// has tells whether the services can suffer what a scenario does to them.
func (v *selftestVerb) has(s *scenario.Scenario) bool {
	return v.Stack == containers || !slices.Contains(s.Needs, fault.Processes)
}

// evidenceOf is DIR/runs/TRIAL/SCENARIO/1.
func evidenceOf(out reports.Out, trial, scenario string) reports.RunDir {
	return reports.RunDir(filepath.Join(string(out), "runs", trial, scenario, "1"))
}

// step is what progress tells of a run. That a defect is found is no news.
func step(r run.Result, defects []*trial) reports.Step {
	s := reports.StepOf(r.Job.Label+" in "+r.Job.Scenario.ID, run.Reported(r).Repetitions[0], 1)
	defect := slices.ContainsFunc(defects, func(t *trial) bool { return t.name == r.Job.Label && t.defect != nil })
	if defect && s.Outcome != judge.HarnessError {
		s.Outcome = judge.Pass
	}
	return s
}

// report is the reference's own report, with the self-test in it.
func (v *selftestVerb) report(trials []*trial, table *contract.Table, c *scenario.Catalogue, self reports.SelfTest, start time.Time) *reports.Report {
	b := batch{table: table, catalogue: c, seed: v.Seed, pace: v.pace}
	i := slices.IndexFunc(trials, func(t *trial) bool { return t.name == fakeagent.Reference })
	if i >= 0 {
		b.subject = trials[i].subject
		for _, s := range c.All() {
			if v.has(s) {
				b.selected = append(b.selected, chosen{Scenario: s})
			}
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
