package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/reports"
)

// pace are the flags of every verb that runs scenarios.
type pace struct {
	TimeScale    float64       `default:"0.05" help:"Multiplies every limit; at 1 an attempt takes at most 8 s. Default ${default}." placeholder:"F"`
	Concurrency  int           `help:"How many tasks run at once; most scenarios have one. Default 0: as this machine allows." placeholder:"N"`
	StartTimeout time.Duration `default:"30s" help:"How long a process may take from its start until it asks for work; not scaled. Default ${default}." placeholder:"D"`
	Stack        string        `enum:"embedded,containers" default:"embedded" help:"Where the services run: embedded in this process, or containers, which needs a Docker engine. Default ${default}." placeholder:"WHERE"`
	Quiet        bool          `help:"Tell no progress."`
	Annotations  bool          `help:"Write GitHub annotations. Default: when GITHUB_ACTIONS is true."`
	Format       string        `enum:"text,json" default:"text" help:"text, or json: one line a scenario on standard output, the rest on standard error."`
}

func (p pace) check() error {
	switch {
	case !(p.TimeScale > 0 && p.TimeScale <= 100): // NaN is neither
		return misuse("--time-scale %g: want more than 0 and at most 100", p.TimeScale)
	case p.Concurrency < 0:
		return misuse("--concurrency %d: want at least 1, or 0 for as many as this machine allows", p.Concurrency)
	case p.StartTimeout <= 0:
		return misuse("--start-timeout %s: want more than 0", p.StartTimeout)
	}
	return nil
}

// shared is what all jobs of a verb have in common.
func (p pace) shared() run.Shared {
	return run.Shared{Scale: p.TimeScale, Concurrency: p.Concurrency, StartTimeout: p.StartTimeout, Version: build().Version}
}

type runVerb struct {
	Scenarios []string `arg:"" optional:"" name:"scenario" help:"Ids, globs such as 'approval/*', or files. Default: the whole catalogue."`
	agentFlags
	plugFlags
	pace
	Out      string `default:"lostreceipt-out" type:"path" help:"Directory for report and evidence. Default ${default}." placeholder:"DIR"`
	Contract string `type:"existingfile" help:"Another contract table than the built-in one." placeholder:"FILE"`
	Config   string `help:"Names the agent and the capabilities that it has not. Default lostreceipt.yaml, where there is one." placeholder:"FILE"`
	Build    string `help:"Which build of the agent this is, as a commit: it stands in the report, and lostreceipt gate --build asks for it." placeholder:"TEXT"`
	Repeat   int    `default:"1" help:"How often each scenario runs." placeholder:"N"`
	Seed     uint64 `help:"Seed of everything that is random. Default: a new one, which is printed." placeholder:"N"`
	Label    string `help:"Only scenarios whose labels or requirements fit, for example 'C1 && !slow'." placeholder:"EXPR"`
	Shard    string `help:"Only the i-th of n parts, counted from 1, or index:I/N, counted from 0; every part needs the same --seed. report merge joins them." placeholder:"I/N"`
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
	if !in.dashed && !v.Reference && v.Design == "" && v.Defect == "" && v.AgentURL == "" && v.AgentImage == "" {
		command = cfg.Agent.Command
	}
	if v.AgentImage != "" && v.Stack != containers {
		return misuse("--agent-image %s: needs --stack containers, where its containers find the services", v.AgentImage)
	}
	subject, err := v.plug(v.agentFlags, command)
	if err != nil {
		return err
	}
	defer subject.close()
	subject.report.Build = v.Build
	switch {
	case cfg.Agent.Name == "" || subject.report.Kind == reports.KindReference:
	case in.dashed && len(cfg.Agent.Command) > 0 && !slices.Equal(command, cfg.Agent.Command):
		say(in.err, "lostreceipt: the command after -- is not that of %q in the configuration: the report names it %q\n", cfg.Agent.Name, subject.report.Name)
	default:
		subject.report.Name = cfg.Agent.Name
	}
	table, err := loadContract(v.Contract)
	if err != nil {
		return err
	}
	catalogue, err := loadCatalogue()
	if err != nil {
		return err
	}
	selected, err := choose(catalogue, table, v.Scenarios, v.Label)
	if err != nil {
		return err
	}
	selected, shard, err := v.divide(selected)
	if err != nil {
		return err
	}
	if v.Seed == 0 {
		v.Seed = run.NewSeed()
	}
	flags := []string{"--seed", strconv.FormatUint(v.Seed, 10)}
	if v.TimeScale != contract.DefaultScale {
		flags = append(flags, "--time-scale", number(v.TimeScale))
	}
	if v.Contract != "" {
		flags = append(flags, "--contract", v.Contract)
	}
	if v.Config != "" {
		flags = append(flags, "--config", v.Config)
	}
	if v.Stack != embedded {
		flags = append(flags, "--stack", v.Stack)
	}
	v.pace = v.forPool(v.forStack())
	where, leave, err := v.stacks(in)
	if err != nil {
		return err
	}
	defer leave()
	if v.AgentImage != "" {
		if subject.agent, err = where.house(in.ctx, v.AgentImage, command); err != nil {
			return usage{err}
		}
	}
	b := batch{
		stacks: where.stacks(), subject: subject, table: table, catalogue: catalogue, lacks: subject.lacks(cfg.lacks()), out: v.Out, seed: v.Seed, pace: v.pace,
		repeat: subject.repeat(v.Scenarios, append(v.selecting(), flags...)...), shard: shard,
	}
	for _, s := range selected {
		name := s.ID
		if s.outside {
			name = s.File
		}
		b.add(s, v.Repeat, run.Seed(v.Seed, s.ID), subject.repeat([]string{name}, flags...))
	}
	return b.run(in)
}

// divide keeps the scenarios of the shard that is asked for. Without one it
// keeps all, and the shard is nil.
func (v *runVerb) divide(all []chosen) ([]chosen, *reports.Shard, error) {
	if v.Shard == "" {
		return all, nil, nil
	}
	shard, err := reports.ParseShard(v.part())
	if err != nil {
		return nil, nil, usage{fmt.Errorf("--%w", err)}
	}
	if v.Seed == 0 {
		return nil, nil, misuse("--shard %s: needs --seed, the same for every part, so that they are one run", shard)
	}
	var ids []string
	for _, s := range all {
		ids = append(ids, s.ID)
	}
	mine, shard := reports.Divide(shard, ids)
	kept := slices.DeleteFunc(slices.Clone(all), func(s chosen) bool { return !slices.Contains(mine, s.ID) })
	if len(kept) == 0 {
		return nil, nil, misuse("--shard %s: has no scenario: %d were selected; divide by less", shard, len(all))
	}
	return kept, &shard, nil
}

// part is the shard as it is counted here: an engine that runs parts often
// counts them from 0.
func (v *runVerb) part() string {
	rest, ok := strings.CutPrefix(v.Shard, "index:")
	if !ok {
		return v.Shard
	}
	index, of, _ := strings.Cut(rest, "/")
	i, err := strconv.Atoi(index)
	if err != nil {
		return rest
	}
	return fmt.Sprintf("%d/%s", i+1, of)
}

// selecting are the flags that say how much runs.
func (v *runVerb) selecting() []string {
	var flags []string
	if v.Label != "" {
		flags = append(flags, "--label", v.Label)
	}
	if v.Build != "" {
		flags = append(flags, "--build", v.Build)
	}
	if v.Repeat > 1 {
		flags = append(flags, "--repeat", strconv.Itoa(v.Repeat))
	}
	if v.Shard != "" {
		flags = append(flags, "--shard", v.Shard)
	}
	return flags
}
