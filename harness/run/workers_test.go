package run_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/agent"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

// pool is a pool of n workers that ends with the test.
func (s *stage) pool(c run.Command, n int) *run.Workers {
	s.t.Helper()
	pool, err := run.NewWorkers(c, n)
	s.Expect(err).NotTo(HaveOccurred())
	s.t.Cleanup(pool.Close)
	return pool
}

// jobs are jobs for an agent, each with its evidence.
func (s *stage) jobs(a run.Agent, scenes ...*scenario.Scenario) []run.Job {
	var jobs []run.Job
	for i, scene := range scenes {
		jobs = append(jobs, run.Job{Scenario: scene, Agent: a, N: i + 1, Dir: s.dir(fmt.Sprint("run-", i+1)), Label: scene.ID})
	}
	return jobs
}

// passed demands passes, or that the machine was too busy to time something.
func (s *stage) passed(results []run.Result) {
	s.t.Helper()
	for _, r := range results {
		if r.Verdict.Outcome == judge.Undetermined {
			s.Expect(r.Verdict.Reasons).To(HaveEach(ContainSubstring("noise")), r.Job.Label)
			continue
		}
		s.Expect(r.Verdict.Outcome).To(Equal(judge.Pass), "%s %d: %v %v %s", r.Job.Label, r.Job.N, rulesOf(r), r.Verdict.Reasons, r.Problem)
	}
}

// workersOf are the workers of a run, in the order of its processes.
func workersOf(records []history.Record) []string {
	var names []string
	for _, r := range ofKind(records, history.ProcessStarted) {
		names = append(names, r.Process.Worker)
	}
	return names
}

// span is the time in which a worker worked for a run.
type span struct {
	worker   string
	from, to time.Time
}

func spansOf(records []history.Record) []span {
	wall := records[0].Run.Wall
	var spans []span
	for _, started := range ofKind(records, history.ProcessStarted) {
		sp := span{worker: started.Process.Worker, from: wall.Add(started.At), to: wall.Add(records[len(records)-1].At)}
		for _, r := range ofKind(records, history.ControlResult) {
			sp.to = wall.Add(r.At)
		}
		spans = append(spans, sp)
	}
	return spans
}

func TestWorkersStayWarmAndServeOneScenarioAtATime(t *testing.T) {
	s := newStage(t)
	scene := s.catalogued("no-fault")
	results := run.All(t.Context(), s.jobs(s.pool(reference(""), 2), scene, scene, scene, scene, scene, scene), s.shared(0))
	s.passed(results)
	var names []string
	var spans []span
	marks := map[string]bool{}
	for _, r := range results {
		records := s.stored(r.Job.Dir)
		s.Expect(workersOf(records)).To(HaveLen(1))
		names = append(names, workersOf(records)...)
		spans = append(spans, spansOf(records)...)
		s.Expect(ofKind(records, history.ProcessStarted)[0].Process.ID).To(Equal("p-1"))
		s.Expect(ofKind(records, history.ProcessExited)).To(BeEmpty(), "its worker has gone on")
		given := ofKind(records, history.WorkGiven)[0]
		s.Expect(given.Task+" "+given.Work+" "+given.Given.Process).To(Equal("t-1 w-1 p-1"), "the ids of the scenario")
		marks[given.Facts.Confirmation] = true
	}
	slices.Sort(names)
	s.Expect(slices.Compact(names)).To(HaveExactElements("worker-1", "worker-2"))
	s.Expect(marks).To(HaveLen(6), "no confirmation has the id of another")
	for i, a := range spans {
		for _, b := range spans[i+1:] {
			s.Expect(a.worker == b.worker && a.from.Before(b.to) && b.from.Before(a.to)).To(BeFalse(), "%v and %v", a, b)
		}
	}
}

func TestAKillEndsOnlyTheWorkerThatServesTheScenario(t *testing.T) {
	s := newStage(t)
	calm := s.catalogued("no-fault")
	results := run.All(t.Context(), s.jobs(s.pool(reference(""), 2), s.catalogued("kill-before-receipt"), calm, calm, calm), s.shared(0))
	s.passed(results)
	killed := s.stored(results[0].Job.Dir)
	names := workersOf(killed)
	s.Expect(names).To(HaveLen(2))
	s.Expect(names[0]).NotTo(Equal(names[1]), "the next one resumes the task")
	dead := ofKind(killed, history.ProcessKilled)
	s.Expect(dead).To(HaveLen(1))
	s.Expect(dead[0].Process.ID + " " + dead[0].Process.Worker).To(Equal("p-1 " + names[0]))
	exited := ofKind(killed, history.ProcessExited)
	s.Expect(exited[0].Process.Signal).To(Equal("SIGKILL"))
	s.Expect(exited[0].N).To(BeNumerically(">", dead[0].N))
	given := ofKind(killed, history.WorkGiven)
	s.Expect(given[1].Given.Kind + " " + given[1].Given.Process).To(Equal("task.resume p-2"))
	for _, r := range results[1:] {
		records := s.stored(r.Job.Dir)
		s.Expect(ofKind(records, history.ProcessKilled)).To(BeEmpty())
		s.Expect(ofKind(records, history.ProcessExited)).To(BeEmpty())
	}
}

func TestAScenarioThatNeedsASecondWorkerNeverWaitsForOthers(t *testing.T) {
	s := newStage(t)
	scenes := []*scenario.Scenario{s.catalogued("two-workers"), s.written(twoTasks), s.catalogued("two-workers"), s.written(twoTasks)}
	pool := s.pool(reference(""), 1)
	results := run.All(t.Context(), s.jobs(pool, scenes...), s.shared(0))
	s.passed(results)
	for _, r := range results {
		names := workersOf(s.stored(r.Job.Dir))
		s.Expect(names).To(HaveLen(2))
		s.Expect(names[0]).NotTo(Equal(names[1]))
	}
	s.Expect(run.Live(pool)).To(BeNumerically("<=", 2), "what is more than wanted is let go")
}

func TestAPausedWorkerGoesOnAndComesBack(t *testing.T) {
	s := newStage(t)
	results := run.All(t.Context(), s.jobs(s.pool(reference(""), 1), s.written(pausedTwice), s.catalogued("no-fault")), s.shared(0))
	s.passed(results)
	records := s.stored(results[0].Job.Dir)
	s.Expect(ofKind(records, history.ProcessPaused)).To(HaveLen(1))
	s.Expect(ofKind(records, history.ProcessResumed)).To(HaveLen(1))
	s.Expect(workersOf(records)).To(Equal(workersOf(s.stored(results[1].Job.Dir))))
}

func TestAFaultAfterTheResultStillFindsItsWorker(t *testing.T) {
	s := newStage(t)
	results := run.All(t.Context(), s.jobs(s.pool(reference(""), 1), s.written(killedAfterIts), s.catalogued("no-fault")), s.shared(0))
	s.passed(results)
	records := s.stored(results[0].Job.Dir)
	s.Expect(results[0].Missed).To(BeEmpty())
	dead := ofKind(records, history.ProcessKilled)
	s.Expect(dead).To(HaveLen(1))
	s.Expect(dead[0].N).To(BeNumerically(">", ofKind(records, history.ControlResult)[0].N))
	s.Expect(ofKind(s.stored(results[1].Job.Dir), history.ProcessKilled)).To(BeEmpty())
}

const killedAfterIts = `
id: killed-after-its-end
title: The process is killed after it has posted its result
covers: [B08]
task: purchase-approval
faults:
  - at: approval.submit#1 replied
    do: reset
  - at: agent claims completed#1
    delay: 0.5 attempt_timeout
    do: kill
    optional: true
expect:
  ends: [completed]
  consequences: {approval: 1, purchase: 1}
`

const pausedTwice = `
id: paused
title: The process stands still for a moment
covers: [B08]
task: purchase-approval
faults:
  - at: approval.submit#1 replied
    do: {pause: 0.5 attempt_timeout}
expect:
  ends: [completed]
  consequences: {approval: 1, purchase: 1}
`

func TestWhatIsLeftOfATaskIsOfItsOwnScenarioOrRefused(t *testing.T) {
	s := newStage(t)
	scene := s.catalogued("no-fault")
	shared := s.shared(0.2) // so that the first is still watched when the second begins
	results := run.All(t.Context(), s.jobs(s.pool(run.Command{Args: []string{os.Args[0], "hostile", "comes-back"}}, 1), scene, scene), shared)
	first, second := s.stored(results[0].Job.Dir), s.stored(results[1].Job.Dir)
	if first[0].Run.Wall.After(second[0].Run.Wall) {
		first, second = second, first
	}
	s.Expect(workersOf(first)).To(Equal(workersOf(second)), "one process")

	ended := ofKind(first, history.ControlResult)[0].N
	s.Expect(ofKind(first, history.CallSent)[0].N).To(BeNumerically(">", ended), "a call on the first endpoint, made during the second task")
	s.Expect(ofKind(first, history.ControlClaim)[0].N).To(BeNumerically(">", ended))
	s.Expect(ofKind(first, history.LedgerRow)).NotTo(BeEmpty())

	s.Expect(ofKind(second, history.CallSent)).To(BeEmpty())
	s.Expect(ofKind(second, history.ConnOpened)).To(BeEmpty())
	s.Expect(ofKind(second, history.ControlClaim)).To(BeEmpty())
	s.Expect(ofKind(second, history.ControlRefused)).To(BeEmpty())
	s.Expect(ofKind(second, history.ControlResult)[0].Control.State).To(Equal("escalated"), "after its late claim was refused")

	log, err := os.ReadFile(results[0].Job.Dir.AgentLog())
	s.Expect(err).NotTo(HaveOccurred())
	other, err := os.ReadFile(results[1].Job.Dir.AgentLog())
	s.Expect(err).NotTo(HaveOccurred())
	logs := []string{string(log), string(other)}
	slices.Sort(logs)
	s.Expect(logs).To(HaveExactElements("p-1 | task 1\n", "p-1 | task 2\n"))
}

// comeBack does nothing in its first task. In its second it goes on with the first,
// as a thread might that was forgotten, until that is refused.
func comeBack() {
	first := take()
	fmt.Println("task 1")
	send("POST", "/v1/tasks/"+first.Task.ID+"/result", strings.NewReader(`{"status": "completed", "unverified": []}`))
	second := take()
	fmt.Println("task 2")
	body := `{"confirmation": {"id": "` + first.Task.Confirmation.ID + `", "version": 1}, "tenant": "acme", "object": "po-17", "content": {}, "digest": "x"}`
	call(first, "POST", "/v1/approvals", strings.NewReader(body))
	claim := func() []byte {
		return send("POST", "/v1/tasks/"+first.Task.ID+"/states", strings.NewReader(`{"confirmation": {"id": "`+first.Task.Confirmation.ID+`", "version": 1}, "state": "tracking"}`))
	}
	claim()
	for call(first, "GET", "/v1/approvals?key=k", nil) != nil {
	}
	for !bytes.Contains(claim(), []byte("no such task any more")) {
		send("GET", "/v1/tasks/"+first.Task.ID+"/inbox?wait=1m", nil) // it is answered when the plane closes
	}
	send("POST", "/v1/tasks/"+second.Task.ID+"/result", strings.NewReader(`{"status": "escalated", "unverified": []}`))
	take()
}

func TestAHostileWorkerGetsTheVerdictOfAProcess(t *testing.T) {
	s := newStage(t)
	scene := s.catalogued("no-fault")
	cases := []struct{ name, reason, rule string }{
		{"exits", run.AgentEnded, "agent-crashed"},
		{"never-asks", run.Deadline, "never-settled"},
		{"prints", run.AgentEnded, "agent-crashed"},
		{"malformed", run.Deadline, "never-settled"},
		{"huge", run.Deadline, "never-settled"},
		{"ignores-sigterm", run.Deadline, "never-settled"},
		{"forks", run.AgentEnded, "agent-crashed"},
		{"acts-after-its-end", run.Settled, "fabricated-success"},
	}
	pids := s.t.TempDir() + "/pid"
	env := append(os.Environ(), pidFile+"="+pids)
	var jobs []run.Job
	for _, c := range cases {
		pool := s.pool(run.Command{Args: []string{os.Args[0], "hostile", c.name}, Env: env}, 1)
		for n := range 2 { // the second has a worker of its own
			label := fmt.Sprint(c.name, "-", n)
			jobs = append(jobs, run.Job{Scenario: scene, Agent: pool, Label: label, Dir: s.dir(label)})
		}
	}
	neighbours := s.pool(reference(""), 2)
	for n := range 4 {
		label := fmt.Sprint("neighbour-", n)
		jobs = append(jobs, run.Job{Scenario: scene, Agent: neighbours, Label: label, Dir: s.dir(label)})
	}
	results := run.All(t.Context(), jobs, s.shared(0))
	for i, c := range cases {
		for _, r := range results[2*i : 2*i+2] {
			records := s.stored(r.Job.Dir)
			s.accuses(r, c.rule)
			s.Expect(r.Reason).To(Equal(c.reason), r.Job.Label)
			s.Expect(r.Problem).To(BeEmpty(), r.Job.Label)
			s.Expect(len(records)).To(BeNumerically("<", 40_000), r.Job.Label)
			if c.reason == run.Settled {
				s.Expect(ofKind(records, history.ProcessExited)).To(BeEmpty(), "it has asked for work again")
			} else {
				s.Expect(ofKind(records, history.ProcessExited)).To(HaveLen(1), r.Job.Label)
			}
			log, err := os.Stat(r.Job.Dir.AgentLog())
			s.Expect(err).NotTo(HaveOccurred())
			s.Expect(log.Size()).To(BeNumerically("<", 3*agent.DefaultOutput), r.Job.Label)
		}
		one, two := workersOf(s.stored(results[2*i].Job.Dir)), workersOf(s.stored(results[2*i+1].Job.Dir))
		s.Expect(slices.Equal(one, two)).To(Equal(c.reason == run.Settled), c.name)
	}
	s.passed(results[2*len(cases):])
	text, err := os.ReadFile(pids)
	s.Expect(err).NotTo(HaveOccurred())
	var pid int
	_, err = fmt.Sscan(string(text), &pid)
	s.Expect(err).NotTo(HaveOccurred())
	s.Expect(syscall.Kill(pid, 0)).To(MatchError(syscall.ESRCH), "the daemon that the agent left")
}

func TestAWorkerThatFloodsEndsItsOwnRun(t *testing.T) {
	s := newStage(t)
	var jobs []run.Job
	for _, name := range []string{"floods", "floods-services"} {
		jobs = append(jobs, run.Job{
			Scenario: s.catalogued("no-fault"), Agent: s.pool(run.Command{Args: []string{os.Args[0], "hostile", name}}, 1), Dir: s.dir(name),
		})
	}
	for _, r := range run.All(t.Context(), jobs, s.shared(2)) {
		s.Expect(r.Reason).To(Equal(run.Flooded))
		s.Expect(r.Verdict.Outcome).To(Equal(judge.Violation))
	}
}

func TestInterruptingLeavesNoWorker(t *testing.T) {
	s := newStage(t)
	ctx, cancel := context.WithCancel(t.Context())
	pool := s.pool(reference(""), 1)
	shared := s.shared(1)
	var begun atomic.Int32
	shared.Started = func(run.Job) {
		if begun.Add(1) == 3 { // one works, the others wait for it
			cancel()
		}
	}
	scene := s.catalogued("no-fault")
	results := run.All(ctx, s.jobs(pool, scene, scene, scene), shared)
	s.Expect(results).To(HaveLen(3))
	for _, r := range results {
		s.Expect(r.Interrupted).To(BeTrue())
		s.Expect(r.Problem).To(BeEmpty())
	}
	pool.Close()
	s.Expect(run.Live(pool)).To(BeZero())
	_, err := pool.Queue()(t.Context())
	s.Expect(err).To(MatchError("the pool of workers is closed"))
}

func TestAPoolThatCannotBeIsExplained(t *testing.T) {
	g := NewWithT(t)
	_, err := run.NewWorkers(reference(""), 0)
	g.Expect(err).To(MatchError("run: 0 workers: want at least 1"))
	_, err = run.NewWorkers(run.Command{Args: []string{"no-such-program"}}, 1)
	g.Expect(err).To(MatchError(HavePrefix(`agent: command "no-such-program": no such program`)))
}
