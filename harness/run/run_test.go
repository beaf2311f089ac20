package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
)

func TestARunLeavesItsEvidenceAndItsVerdict(t *testing.T) {
	s := newStage(t)
	scene := s.catalogued("lost-receipt-reset")
	r, records := s.one(t.Context(), run.Job{Scenario: scene, Agent: reference(""), Seed: 7, Repeat: "do it again"}, s.shared(0))
	s.Expect(r.Verdict.Outcome).To(Equal(judge.Pass), "%v %v", rulesOf(r), r.Verdict.Reasons)
	s.Expect(r.Reason).To(Equal(run.Settled))
	s.Expect(r.Missed).To(BeEmpty())

	setup, err := judge.ReadSetup(records)
	s.Expect(err).NotTo(HaveOccurred())
	s.Expect(setup.Seed).To(BeEquivalentTo(7))
	s.Expect(setup.Scale).To(Equal(0.05))
	s.Expect(setup.Contract).To(Equal(s.shared(0).Contract.Digest))
	s.Expect(kinds(records)[len(records)-2:]).To(Equal([]history.Kind{history.RunNoise, history.RunEnded}))
	s.Expect(records[len(records)-2].Run.Noise).To(BeNumerically(">", 0))

	byClient := 0
	for _, ended := range ofKind(records, history.ConnEnded) {
		if ended.Wire.By == history.ByClient {
			byClient++
		}
	}
	s.Expect(byClient).To(Equal(len(ofKind(records, history.ConnOpened))-1), "how each connection ended is seen; one was reset")

	text, err := os.ReadFile(r.Job.Dir.Scenario())
	s.Expect(err).NotTo(HaveOccurred())
	s.Expect(string(text)).To(Equal(scene.Text))
	text, err = os.ReadFile(r.Job.Dir.Ledger())
	s.Expect(err).NotTo(HaveOccurred())
	var ledger struct {
		Approval struct{ Records []any }
		Purchase struct{ Purchases []any }
	}
	s.Expect(json.Unmarshal(text, &ledger)).To(Succeed())
	s.Expect(ledger.Approval.Records).NotTo(BeEmpty())
	s.Expect(ledger.Purchase.Purchases).To(HaveLen(1))

	stored, err := r.Job.Dir.Load()
	s.Expect(err).NotTo(HaveOccurred())
	again, err := judge.Judge(s.shared(0).Contract, stored.Records)
	s.Expect(err).NotTo(HaveOccurred())
	s.Expect(*again).To(Equal(r.Verdict), "the stored history gives the verdict of the run")
}

func TestAFindingNamesTheCommandThatRepeatsIt(t *testing.T) {
	s := newStage(t)
	r, _ := s.one(t.Context(), run.Job{
		Scenario: s.catalogued("lost-receipt-reset"), Agent: reference("new-key"), Repeat: "do it again",
	}, s.shared(0))
	s.Expect(r.Verdict.Outcome).To(Equal(judge.Violation))
	s.Expect(rulesOf(r)).To(ContainElement("identifier-changed"))
	for _, f := range r.Verdict.Findings {
		s.Expect(f.Repeat).To(Equal("do it again"))
	}
	stored, err := r.Job.Dir.Load()
	s.Expect(err).NotTo(HaveOccurred())
	s.Expect(*stored.Verdict).To(Equal(r.Verdict))
}

func TestAKilledProcessIsStartedAgainForItsTask(t *testing.T) {
	s := newStage(t)
	r, records := s.one(t.Context(), run.Job{Scenario: s.catalogued("kill-before-receipt"), Agent: reference("")}, s.shared(0))
	s.Expect(r.Verdict.Outcome).To(Equal(judge.Pass), "%v %v", rulesOf(r), r.Verdict.Reasons)
	s.Expect(ofKind(records, history.ProcessKilled)).To(HaveLen(1))
	s.Expect(ofKind(records, history.ProcessExited)[0].N).To(BeNumerically(">", ofKind(records, history.ProcessKilled)[0].N))
	given := ofKind(records, history.WorkGiven)
	s.Expect(given).To(HaveLen(2))
	s.Expect(given[1].Given.Kind).To(Equal("task.resume"))
	s.Expect(given[1].Given.Process).To(Equal("p-2"))
}

func TestARedispatchedTaskHasTwoProcesses(t *testing.T) {
	s := newStage(t)
	r, records := s.one(t.Context(), run.Job{Scenario: s.catalogued("two-workers"), Agent: reference("")}, s.shared(0))
	s.Expect(r.Verdict.Outcome).To(Equal(judge.Pass), "%v %v", rulesOf(r), r.Verdict.Reasons)
	given := ofKind(records, history.WorkGiven)
	s.Expect(given).To(HaveLen(2))
	second := given[1].Given.Process
	s.Expect(given[0].Given.Process).NotTo(Equal(second))
	up := map[string]int{}
	for _, started := range ofKind(records, history.ProcessStarted) {
		up[started.Process.ID] = started.N
	}
	s.Expect(up[second]).To(BeNumerically("<", given[0].N), "it was up before the first had its work, so that it need not be waited for")
}

func TestAReserveThatIsNotNeededHoldsNothingUp(t *testing.T) {
	s := newStage(t)
	r, records := s.one(t.Context(), run.Job{Scenario: s.written(neverDoubled), Agent: reference("")}, s.shared(0))
	s.Expect(r.Verdict.Outcome).To(Equal(judge.Pass), "%v %v", rulesOf(r), r.Verdict.Reasons)
	s.Expect(ofKind(records, history.ProcessStarted)).To(HaveLen(2))
	s.Expect(ofKind(records, history.WorkGiven)).To(HaveLen(1))
	s.Expect(records[len(records)-1].Run.Reason).To(Equal(run.Settled))
}

const neverDoubled = `
id: never-doubled
title: A second worker would take over at a second submission, which never comes
covers: [B04]
task: purchase-approval
faults:
  - at: approval.submit#1 replied
    do: {hold: {for: 0.1 attempt_timeout}}
  - at: approval.submit#2 sent
    do: redispatch
    optional: true
expect:
  ends: [completed]
`

const paused = `
id: paused
title: The process stands still while its receipt comes
covers: [B04]
task: purchase-approval
faults:
  - at: approval.submit#1 replied
    do: {pause: 2 attempt_timeout}
expect:
  ends: [completed]
  consequences: {approval: 1, purchase: 1}
`

func TestAPausedProcessGoesOn(t *testing.T) {
	s := newStage(t)
	r, records := s.one(t.Context(), run.Job{Scenario: s.written(paused), Agent: reference("")}, s.shared(0))
	s.Expect(r.Verdict.Outcome).To(Equal(judge.Pass), "%v %v", rulesOf(r), r.Verdict.Reasons)
	stopped, resumed := ofKind(records, history.ProcessPaused), ofKind(records, history.ProcessResumed)
	s.Expect(stopped).To(HaveLen(1))
	s.Expect(resumed).To(HaveLen(1))
	s.Expect(resumed[0].At - stopped[0].At).To(BeNumerically(">=", 2*s.limits().AttemptTimeout))
}

const refused = `
id: refused-dials
title: Nobody answers the door of the approval service for a while
covers: [B04]
task: purchase-approval
faults:
  - at: agent started
    do: {refuse: {service: approval, for: 0.1 verification_period}}
expect:
  ends: [completed, escalated]
`

func TestADoorThatIsRefusedOpensAgain(t *testing.T) {
	s := newStage(t)
	r, records := s.one(t.Context(), run.Job{Scenario: s.written(refused), Agent: reference("")}, s.shared(0))
	s.Expect(r.Problem).To(BeEmpty())
	s.Expect(ofKind(records, history.FaultFired)).To(HaveLen(1))
	s.Expect(ofKind(records, history.FaultLifted)).To(HaveLen(1))
	s.Expect(ofKind(records, history.FaultFailed)).To(BeEmpty())
	lifted := ofKind(records, history.FaultLifted)[0].N
	for _, opened := range ofKind(records, history.ConnOpened) {
		if opened.Wire.Service == "approval" {
			s.Expect(opened.N).To(BeNumerically(">", lifted-3), "the door was refused") // opened and recorded just before the receipt
		}
	}
}

func TestWhatTheAgentDoesNotDeclareIsNotRun(t *testing.T) {
	s := newStage(t)
	results := run.All(t.Context(), []run.Job{{
		Scenario: s.catalogued("kill-before-receipt"), Agent: reference(""), Lacks: []string{"restart"}, Dir: s.dir("x"),
	}}, s.shared(0))
	s.Expect(results[0].Verdict.Outcome).To(Equal(judge.NotApplicable))
	s.Expect(results[0].Lacking).To(Equal([]string{"restart"}))
	s.Expect(results[0].Reason).To(BeEmpty())
	s.Expect(string(s.dir("x"))).NotTo(BeADirectory())
}

func TestAnInterruptedRunIsBrokenOffAndSaved(t *testing.T) {
	s := newStage(t)
	ctx, cancel := context.WithCancel(t.Context())
	shared := s.shared(1)
	shared.Started = func(run.Job) { cancel() }
	jobs := []run.Job{
		{Scenario: s.catalogued("no-fault"), Agent: reference(""), Dir: s.dir("a")},
		{Scenario: s.catalogued("no-fault"), Agent: reference(""), Dir: s.dir("b")},
	}
	shared.Concurrency = 1
	results := run.All(ctx, jobs, shared)
	s.Expect(results).To(HaveLen(1), "the second is not begun")
	s.Expect(results[0].Interrupted).To(BeTrue())
	s.Expect(results[0].Verdict.Outcome).NotTo(Equal(judge.Pass))
}

// interrupter ends a run once the agent is up.
type interrupter struct {
	run.Agent
	cancel context.CancelFunc
}

func (i interrupter) Open(log *history.Log) (run.Crew, error) {
	log.Watch(func(r history.Record) {
		if r.Kind == history.CallSent {
			i.cancel()
		}
	})
	return i.Agent.Open(log)
}

func TestAnInterruptedRunIsUndeterminedAndAccusesNobody(t *testing.T) {
	s := newStage(t)
	ctx, cancel := context.WithCancel(t.Context())
	r, records := s.one(ctx, run.Job{Scenario: s.catalogued("killed-twice"), Agent: interrupter{reference(""), cancel}}, s.shared(0))
	s.Expect(r.Interrupted).To(BeTrue())
	s.Expect(r.Verdict.Outcome).To(Equal(judge.Undetermined), "%v %v", rulesOf(r), r.Verdict.Reasons)
	s.Expect(r.Verdict.Reasons).To(Equal([]string{"the run was interrupted before the scenario ended"}))
	s.Expect(r.CutOff()).To(BeTrue())
	s.Expect(records[len(records)-1].Run.Reason).To(Equal(run.Interrupted))
	s.Expect(*ofKind(records, history.ProcessExited)[0].Process).To(Equal(history.Process{ID: "p-1", Code: -1, Signal: "SIGTERM", Reason: agent.Stopped}))
}

// broken is an agent that cannot be plugged in.
type broken struct{ panics bool }

func (b broken) Lacks() []string { return nil }

func (b broken) Open(*history.Log) (run.Crew, error) {
	if b.panics {
		panic("boom")
	}
	return nil, errors.New("no such machine")
}

func TestAPanicIsAHarnessErrorAndKeepsTheEvidence(t *testing.T) {
	s := newStage(t)
	r, records := s.one(t.Context(), run.Job{Scenario: s.catalogued("no-fault"), Agent: broken{panics: true}}, s.shared(0))
	s.Expect(r.Verdict.Outcome).To(Equal(judge.HarnessError))
	s.Expect(r.Problem).To(ContainSubstring("panic: boom"))
	s.Expect(records[len(records)-1].Run.Reason).To(Equal("harness: panic: boom (its stack stands in panic.txt)"))
	s.Expect(r.Job.Dir.Verdict()).To(BeAnExistingFile())
}

func TestAnAgentThatCannotBePluggedInIsAHarnessError(t *testing.T) {
	s := newStage(t)
	r, _ := s.one(t.Context(), run.Job{Scenario: s.catalogued("no-fault"), Agent: broken{}}, s.shared(0))
	s.Expect(r.Verdict.Outcome).To(Equal(judge.HarnessError))
	s.Expect(r.Problem).To(ContainSubstring("no such machine"))
}

func TestARuleThatPanicsIsAHarnessErrorAndKeepsTheEvidence(t *testing.T) {
	s := newStage(t)
	shared := run.JudgedBy(s.shared(0), func(*contract.Table, []history.Record) (*judge.Verdict, error) { panic("boom") })
	r, records := s.one(t.Context(), run.Job{Scenario: s.catalogued("no-fault"), Agent: reference("")}, shared)
	s.Expect(records[len(records)-1].Kind).To(Equal(history.RunEnded))
	s.Expect(r.Verdict.Outcome).To(Equal(judge.HarnessError), "%v %v", rulesOf(r), r.Verdict.Reasons)
	s.Expect(r.Problem).To(HavePrefix("judge: panic: boom"))
	s.Expect(r.Job.Dir.Verdict()).To(BeAnExistingFile())
	s.Expect(filepath.Join(string(r.Job.Dir), "panic.txt")).To(BeAnExistingFile())
}

func TestEvidenceThatCannotBeWrittenIsAHarnessError(t *testing.T) {
	s := newStage(t)
	s.Expect(os.WriteFile(string(s.dir("taken")), nil, 0o600)).To(Succeed())
	results := run.All(t.Context(), []run.Job{{Scenario: s.catalogued("no-fault"), Agent: reference(""), Dir: s.dir("taken")}}, s.shared(0))
	s.Expect(results[0].Verdict.Outcome).To(Equal(judge.HarnessError))
	s.Expect(results[0].Problem).To(ContainSubstring("taken"))
}

func TestResultsComeInTheOrderOfTheJobsAndAreToldAsTheyEnd(t *testing.T) {
	s := newStage(t)
	shared := s.shared(0)
	var started, done atomic.Int32
	shared.Started = func(run.Job) { started.Add(1) }
	shared.Done = func(run.Result) { done.Add(1) }
	var jobs []run.Job
	for _, id := range []string{"refused", "no-fault", "preview-only"} {
		jobs = append(jobs, run.Job{Scenario: s.catalogued(id), Agent: reference(""), Label: id})
	}
	results := run.All(t.Context(), jobs, shared)
	s.Expect(results).To(HaveLen(3))
	for i, r := range results {
		s.Expect(r.Job.Label).To(Equal(jobs[i].Label))
		s.Expect(r.Verdict.Outcome).To(Equal(judge.Pass), r.Job.Label)
	}
	s.Expect(started.Load()).To(BeEquivalentTo(3))
	s.Expect(done.Load()).To(BeEquivalentTo(3))
}

func TestASeedDependsOnTheRunAndTheScenarioOnly(t *testing.T) {
	g := NewWithT(t)
	g.Expect(run.Seed(1, "a")).To(Equal(run.Seed(1, "a")))
	g.Expect(run.Seed(1, "a")).NotTo(Equal(run.Seed(1, "b")))
	g.Expect(run.Seed(1, "a")).NotTo(Equal(run.Seed(2, "a")))
	g.Expect(run.NewSeed()).To(BeNumerically("<", 1_000_000_000))
}

const killedAtOnce = `
id: killed-at-once
title: The process is killed as soon as it has its work
covers: [B08]
task: purchase-approval
faults:
  - at: agent started
    do: kill
expect:
  ends: [completed]
  consequences: {approval: 1, purchase: 1}
`

// late is an agent whose first start returns only when a fault has aimed at
// its process.
type late struct{ run.Agent }

type lateCrew struct {
	run.Crew
	fired chan struct{}
}

func (l late) Open(log *history.Log) (run.Crew, error) {
	crew, err := l.Agent.Open(log)
	c := lateCrew{crew, make(chan struct{})}
	once := sync.OnceFunc(func() { close(c.fired) })
	log.Watch(func(r history.Record) {
		if r.Kind == history.FaultFired {
			once()
		}
	})
	return c, err
}

func (c lateCrew) Start(ctx context.Context, l agent.Launch) (run.Process, error) {
	p, err := c.Crew.Start(ctx, l)
	<-c.fired
	return p, err
}

func TestAFaultFindsAProcessThatTheHarnessIsStillStarting(t *testing.T) {
	s := newStage(t)
	r, records := s.one(t.Context(), run.Job{Scenario: s.written(killedAtOnce), Agent: late{reference("")}}, s.shared(0))
	s.Expect(ofKind(records, history.FaultFailed)).To(BeEmpty())
	s.Expect(ofKind(records, history.ProcessKilled)).To(HaveLen(1))
	s.Expect(r.Verdict.Outcome).To(Equal(judge.Pass), "%v %v", rulesOf(r), r.Verdict.Reasons)
}

const twoTasks = `
id: two-tasks
title: Two tasks at once, each with a process of its own
covers: [B14]
tasks:
  - {id: a, type: purchase-approval, object: po-1}
  - {id: b, type: purchase-approval, object: po-2}
faults:
  - at: b/approval.submit#1 replied
    do: reset
expect:
  ends: [completed]
  consequences: {approval: 2, purchase: 2}
`

func TestEachTaskHasAProcessOfItsOwn(t *testing.T) {
	s := newStage(t)
	r, records := s.one(t.Context(), run.Job{Scenario: s.written(twoTasks), Agent: reference("")}, s.shared(0))
	s.Expect(r.Verdict.Outcome).To(Equal(judge.Pass), "%v %v", rulesOf(r), r.Verdict.Reasons)
	s.Expect(ofKind(records, history.ProcessStarted)).To(HaveLen(2))
	s.Expect(ofKind(records, history.ControlResult)).To(HaveLen(2))
	log, err := os.ReadFile(r.Job.Dir.AgentLog())
	s.Expect(err).NotTo(HaveOccurred())
	s.Expect(string(log)).To(And(ContainSubstring("--- task a\n"), ContainSubstring("--- task b\n")))
}
