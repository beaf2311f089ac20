package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/stack"
)

// one runs a job. ticket is for the place that its agent needs, if it needs one.
// queued is called when what the job has to wait for comes no later than for
// any job after it.
func one(ctx context.Context, job Job, shared Shared, m machine, ticket Ticket, queued func()) (result Result) {
	begin := time.Now()
	result = Result{Job: job}
	defer queued()
	defer func() {
		if ticket != nil {
			ticket.drop()
		}
	}()
	defer func() {
		if p := recover(); p != nil {
			result = result.harness(panicked(job, p))
		}
		result.Took = time.Since(begin)
	}()
	compiled, err := job.Scenario.Compile(shared.scaled())
	if err != nil {
		return result.harness(err.Error())
	}
	result.Guarantees = compiled.Guarantees
	var unoffered []string
	if m, is := job.Agent.(mute); is {
		job.Mute, unoffered = true, m.Unoffered(job.Scenario)
		result.Job = job
	}
	if shared.Stacks == nil && slices.Contains(compiled.Needs, fault.Processes) {
		result.Lacking = []string{fault.Processes}
		result.Verdict = judge.Verdict{
			Outcome: judge.NotApplicable,
			Reasons: []string{"the services are no processes of their own: run it with --stack containers"},
		}
		return result
	}
	if result.Lacking = append(lacking(compiled.Needs, slices.Concat(job.Lacks, job.Agent.Lacks())), unoffered...); len(result.Lacking) > 0 {
		result.Verdict = judge.Verdict{
			Outcome: judge.NotApplicable,
			Reasons: []string{"the agent does not declare " + strings.Join(result.Lacking, ", ")},
		}
		return result
	}
	agent := job.Agent
	var at Place
	if ticket != nil {
		queued()
		at, err = ticket(ctx)
		ticket = nil
		if err != nil {
			if result.Interrupted = ctx.Err() != nil; result.Interrupted {
				return result
			}
			return result.harness(err.Error())
		}
		defer at.Release()
		agent = at
	}
	var ground stack.Ground
	if shared.Stacks != nil {
		queued()
		ground, err = shared.Stacks.Lease(ctx, slices.Contains(compiled.Needs, fault.Processes))
		if err != nil {
			if result.Interrupted = ctx.Err() != nil; result.Interrupted {
				return result
			}
			return result.harness(err.Error())
		}
	}
	enter := m.ramp.queue(job.size())
	queued()
	if !enter(ctx) {
		result.Interrupted = true
		if ground != nil {
			_ = ground.Close(ctx) // nothing was placed on it
		}
		return result
	}
	begin = time.Now()
	s := &session{job: job, agent: agent, place: at, ground: ground, shared: shared, compiled: compiled, traffic: newTraffic()}
	over := make(chan struct{})
	started := m.ramp.leave(s.traffic.given, over)
	defer func() {
		close(over)
		<-started
		m.ramp.over(job.size())
	}()
	if err := s.begin(); err != nil {
		return result.harness("evidence: " + err.Error())
	}
	result.Reason = s.live(ctx, m.noise)
	result.Missed = s.missed
	result.Interrupted = result.Reason == Interrupted

	problem := s.save()
	if s.file != nil {
		result.HistoryDigest = s.file.Digest()
	}
	if why, ok := strings.CutPrefix(result.Reason, Harness); ok {
		problem = errors.Join(errors.New(why), problem)
	}
	problem = errors.Join(problem, s.failure())
	verdict, err := judged(job, shared, s.log.Records())
	if err != nil {
		problem = errors.Join(problem, err)
	} else {
		result.Verdict = BrokenOff(*verdict, result.Reason)
	}
	for i := range result.Verdict.Findings {
		result.Verdict.Findings[i].Repeat = job.Repeat
	}
	result.Asked, result.Output = s.traffic.asked(), s.lastWords(result.Verdict)
	if problem != nil {
		result = result.harness(problem.Error())
	}
	if job.Dir != "" {
		if err := job.Dir.SaveVerdict(result.Verdict); err != nil {
			result = result.harness(err.Error())
		}
	}
	return result
}

// BrokenOff is a verdict on a run that ended for this reason. One that was
// interrupted and shows no violation decides nothing: that a fault had not
// fired yet, or was not in force, is nobody's doing.
func BrokenOff(v judge.Verdict, reason string) judge.Verdict {
	if reason == Interrupted && v.Outcome != judge.Violation {
		v.Outcome, v.Reasons = judge.Undetermined, []string{"the run was interrupted before the scenario ended"}
	}
	return v
}

// CutOff tells whether the run was interrupted before it showed anything: it
// counts as not run.
func (r Result) CutOff() bool { return r.Interrupted && r.Verdict.Outcome != judge.Violation }

// harness makes the result a failure of the harness. What was found is kept
// and decides nothing.
func (r Result) harness(problem string) Result {
	var told []string // each once: a full disk says the same of every file that is closed
	for line := range strings.Lines(r.Problem + "\n" + problem) {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(told, line) {
			told = append(told, line)
		}
	}
	r.Problem = strings.Join(told, "\n")
	r.Verdict.Outcome = judge.HarnessError
	kept := slices.DeleteFunc(slices.Clone(r.Verdict.Reasons), func(reason string) bool { return slices.Contains(told, reason) })
	r.Verdict.Reasons = slices.Concat(told, kept)
	return r
}

// lacking are the needs that are not met.
func lacking(needs, lacks []string) []string {
	var missing []string
	for _, need := range needs {
		if slices.Contains(lacks, need) && !slices.Contains(missing, need) {
			missing = append(missing, need)
		}
	}
	return missing
}

// judged judges a history. A rule that panics is an error and no verdict.
func judged(job Job, shared Shared, records []history.Record) (v *judge.Verdict, err error) {
	defer func() {
		if p := recover(); p != nil {
			v, err = nil, errors.New("judge: "+panicked(job, p))
		}
	}()
	return shared.judge(shared.Contract, records)
}

// save writes what there is beside the history, which is on disk already.
func (s *session) save() error {
	if s.job.Dir == "" {
		return nil
	}
	errs := []error{s.log.Err(), s.file.Close(), s.job.Dir.SaveScenario([]byte(s.job.Scenario.Text)), s.saveLedger(), s.saveOutput()}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("evidence: %w", err)
	}
	return nil
}

// saveLedger writes what the services hold by their own account; where they
// never came up, the rows of the history.
func (s *session) saveLedger() error {
	if s.stack == nil {
		return s.job.Dir.SaveLedger(s.log.Records())
	}
	text, err := json.MarshalIndent(s.stack.Ledger(), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(s.job.Dir.Ledger(), append(text, '\n'), 0o644)
}

func (s *session) saveOutput() error {
	f, err := os.Create(s.job.Dir.AgentLog())
	if err != nil {
		return err
	}
	if s.crew != nil {
		err = s.crew.agent.WriteOutput(f)
	}
	return errors.Join(err, f.Close())
}
