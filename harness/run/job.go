package run

import (
	"context"
	"slices"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/harness/stack"
	"github.com/lostreceipt/lostreceipt/reports"
)

// Job is one repetition of one scenario with one agent. Scenario and Agent are
// required.
type Job struct {
	_ struct{}

	Scenario *scenario.Scenario
	Agent    Agent
	// N is the number of the repetition. 0: 1.
	N int
	// Seed is the seed of this run, see [Seed].
	Seed uint64
	// Dir takes the evidence. "": it is kept in memory and not saved.
	Dir reports.RunDir
	// Lacks are the capabilities that the agent declares false, beside those that [Agent.Lacks] names.
	Lacks []string
	// Mute is set for an agent that knows nothing of the protocol, see [judge.Setup].
	Mute bool
	// Repeat is the command that repeats the run; findings carry it.
	Repeat string
	// Label is the caller's own.
	Label string
}

// size is how many tasks run at once in the job, each with a process of its own.
func (j Job) size() int { return max(1, len(j.Scenario.Tasks)) }

// Shared is what all jobs have in common. Contract is required.
type Shared struct {
	_ struct{}

	Contract *contract.Table
	// Limits are those at time scale 1. Zero: [contract.Defaults].
	Limits contract.Limits
	// Scale multiplies every limit. 0: [contract.DefaultScale].
	Scale float64
	// Concurrency is how many tasks run at once; a job of more runs alone. 0: [Concurrency].
	Concurrency int
	// Stacks give each run the ground of its services. Nil: this process.
	Stacks Stacks
	// StartTimeout is how long a process may take from its start until it asks for work. It is not
	// scaled: how fast a program starts says nothing about its recovery. 0: [DefaultStartTimeout].
	StartTimeout time.Duration
	// Version of the harness is recorded.
	Version string
	// Started and Done are told of each job, Done in the order in which they end. They are called by
	// many goroutines, one at a time. Nil: nobody is told.
	Started func(Job)
	Done    func(Result)

	judge func(*contract.Table, []history.Record) (*judge.Verdict, error) // nil: judge.Judge
}

// Stacks are where the services of runs stand, other than in this process.
type Stacks interface {
	// Lease waits for the ground of one run; the run gives it back. Alone, no other run is on it.
	Lease(ctx context.Context, alone bool) (stack.Ground, error)
}

// DefaultStartTimeout is enough for a virtual machine that warms up on a busy
// computer.
const DefaultStartTimeout = 30 * time.Second

// Result is what came of a job.
type Result struct {
	_ struct{}

	Job     Job
	Verdict judge.Verdict
	Reason  string // why the watch ended; "" when the job did not run
	Took    time.Duration
	// HistoryDigest is that of the stored history; "" when none was stored.
	HistoryDigest string
	// Guarantees are what the services promised.
	Guarantees contract.Guarantees
	// Lacking are the capabilities that the scenario needs and the agent has not: the job did not run.
	Lacking []string
	// Missed are the planned faults that did not fire.
	Missed []fault.Missed
	// Asked is set when the agent asked for work and was given it.
	Asked bool
	// Output is the end of what the agent printed, harmless, where a finding says that it crashed or never settled.
	Output []string
	// Problem is what went wrong with the harness or the evidence; "" for nothing.
	Problem string
	// Interrupted is set when the caller's context ended before the scenario did.
	Interrupted bool
}

// Void tells whether a fault that every correct agent meets did not fire: the
// scenario has shown nothing about the agent's way with it.
func (r Result) Void() bool {
	return slices.ContainsFunc(r.Missed, func(m fault.Missed) bool { return !m.Optional })
}

func (s Shared) complete() Shared {
	if s.Limits == (contract.Limits{}) {
		s.Limits = contract.Defaults()
	}
	if s.Scale <= 0 {
		s.Scale = contract.DefaultScale
	}
	if s.Concurrency <= 0 {
		s.Concurrency = Concurrency()
	}
	if s.StartTimeout <= 0 {
		s.StartTimeout = DefaultStartTimeout
	}
	if s.Started == nil {
		s.Started = func(Job) {}
	}
	if s.Done == nil {
		s.Done = func(Result) {}
	}
	if s.judge == nil {
		s.judge = judge.Judge
	}
	return s
}

// scaled are the limits of the run.
func (s Shared) scaled() contract.Limits { return s.Limits.Scale(s.Scale) }
