package main

import (
	"fmt"
	"path/filepath"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/reports"
)

type rerunVerb struct {
	Dir string `arg:"" type:"existingdir" help:"The evidence of one run: DIR/runs/SCENARIO/N."`
	agentFlags
	Contract    string `type:"existingfile" help:"The contract table that it ran with, where that was not the built-in one." placeholder:"FILE"`
	Config      string `help:"Names the capabilities that the agent has not. Default lostreceipt.yaml, where there is one." placeholder:"FILE"`
	Out         string `default:"lostreceipt-rerun" type:"path" help:"Directory for report and evidence. Default ${default}." placeholder:"DIR"`
	Repeat      int    `default:"1" help:"How often it runs." placeholder:"N"`
	Concurrency int    `help:"How many tasks run at once; most scenarios have one. Default 0: as this machine allows." placeholder:"N"`
	Stack       string `enum:"embedded,containers" default:"embedded" help:"Where the services run: embedded in this process, or containers, which needs a Docker engine. Default ${default}." placeholder:"WHERE"`
	Quiet       bool   `help:"Tell no progress."`
	Format      string `enum:"text,json" default:"text" help:"text, or json: one line a scenario on standard output, the rest on standard error."`
}

// Help is the worked example.
func (rerunVerb) Help() string {
	return `Example: the same text, contract, limits and seed, ten times:

    lostreceipt rerun lostreceipt-out/runs/lost-receipt-reset/1 --repeat 10 -- python3 adapter.py

Without a command and without --reference it runs the agent that the report beside it names.`
}

// Run runs the verb.
func (v *rerunVerb) Run(in *invocation) error {
	if v.Repeat < 1 {
		return misuse("--repeat %d: want at least 1", v.Repeat)
	}
	stored, err := reports.RunDir(filepath.Clean(v.Dir)).Load()
	if err != nil {
		return usage{fmt.Errorf("%s is not the evidence of one run (DIR/runs/SCENARIO/N): %w", v.Dir, err)}
	}
	setup, err := judge.ReadSetup(stored.Records)
	if err != nil {
		return usage{fmt.Errorf("%s: %w", stored.Dir.History(), err)}
	}
	table, err := loadContract(v.Contract)
	if err != nil {
		return err
	}
	if table.Digest != setup.Contract {
		return misuse("%s ran with another contract table (digest %.12s, this one has %.12s): name that table with --contract", v.Dir, setup.Contract, table.Digest)
	}
	if stored.Text == nil {
		return misuse("%s: holds no scenario.yaml: there is nothing to run again", v.Dir)
	}
	s, err := parse(stored.Dir.Scenario(), stored.Text, table)
	if err != nil {
		return usage{err}
	}
	subject, err := v.subjectOf(in)
	if err != nil {
		return err
	}
	cfg, err := readConfig(v.Config)
	if err != nil {
		return err
	}
	catalogue, err := loadCatalogue()
	if err != nil {
		return err
	}
	own, known := catalogue.Find(s.ID)
	p := pace{
		TimeScale: setup.Scale, Concurrency: v.Concurrency, StartTimeout: run.DefaultStartTimeout, Stack: v.Stack, Quiet: v.Quiet, Format: v.Format,
	}.forStack()
	where, leave, err := p.stacks(in)
	if err != nil {
		return err
	}
	defer leave()
	b := batch{
		stacks: where.stacks(), subject: subject, table: table, catalogue: catalogue, lacks: cfg.lacks(), out: v.Out, seed: setup.Seed,
		pace: p,
	}
	command := quote("lostreceipt") + " rerun " + quote(v.Dir) + " " + subject.tail()
	b.add(chosen{Scenario: s, outside: !known || own.Text != s.Text}, v.Repeat, setup.Seed, command)
	return b.run(in)
}

// subjectOf is the agent that is named, or the one that ran before.
func (v *rerunVerb) subjectOf(in *invocation) (subject, error) {
	if in.dashed || v.Reference || v.Design != "" || v.Defect != "" {
		return v.subject(in.command)
	}
	report, err := reports.Read(reports.Out(filepath.Join(v.Dir, "..", "..", "..")).Report())
	if err != nil {
		return subject{}, misuse("no report stands beside %s that names its agent (%v): name the agent's command after --, or --reference", v.Dir, err)
	}
	if report.Agent.Reference() {
		return reference(report.Agent.Design, report.Agent.Defect)
	}
	for _, arg := range report.Agent.Command {
		if isRedacted(arg) {
			return subject{}, misuse("the agent's command held a secret, which the report does not: name the command after --")
		}
	}
	return agentFlags{}.subject(report.Agent.Command)
}
