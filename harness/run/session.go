package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/control"
	"github.com/lostreceipt/lostreceipt/harness/dialect"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/harness/stack"
	"github.com/lostreceipt/lostreceipt/reports"
)

// session is one job while it runs.
type session struct {
	job      Job
	agent    Agent        // of this run
	place    Place        // that it holds; nil: its processes are this run's alone
	ground   stack.Ground // of its services; nil: this process
	shared   Shared
	compiled *scenario.Compiled

	file      *reports.HistoryFile
	log       *history.Log
	gauge     *gauge
	traffic   *traffic
	state     string // directory of the agent's durable state
	hands     *hands
	injector  *fault.Injector
	stack     *stack.Stack
	plane     *control.Plane
	crew      *crew
	allowance time.Duration
	missed    []fault.Missed

	mu     sync.Mutex
	failed error
}

// fail notes that the harness cannot go on; the first reason stays.
func (s *session) fail(err error) {
	s.mu.Lock()
	if s.failed == nil {
		s.failed = err
	}
	s.mu.Unlock()
	s.traffic.wake()
}

func (s *session) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// live takes the job from its set-up to the last record. It returns why the
// watch ended, also when something here panics.
func (s *session) live(ctx context.Context, n *noise) (reason string) {
	defer func() {
		if p := recover(); p != nil {
			reason = Harness + panicked(s.job, p)
		}
		s.finish(reason)
	}()
	s.gauge = n.open()
	if err := s.open(ctx); err != nil {
		if ctx.Err() != nil {
			return Interrupted
		}
		return Harness + err.Error()
	}
	return s.watch(ctx)
}

// begin opens the evidence and the history.
func (s *session) begin() error {
	if s.job.Dir != "" {
		if err := s.job.Dir.Create(); err != nil {
			return err
		}
		f, err := s.job.Dir.CreateHistory()
		if err != nil {
			return err
		}
		s.file = f
		s.log = history.NewLog(f)
	} else {
		s.log = history.NewLog(nil)
	}
	s.log.Watch(s.traffic.note) // as long as there is the log
	setup, err := json.Marshal(judge.Setup{
		Scenario: s.job.Scenario.ID, Limits: s.compiled.Limits, Scale: s.shared.Scale, Seed: s.job.Seed,
		Guarantees: s.compiled.Guarantees, Contract: s.shared.Contract.Digest, Expect: s.compiled.Expect, Mute: s.job.Mute,
	})
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	s.log.Append(history.Record{Kind: history.RunStarted, Run: &history.Run{
		Scenario: s.job.Scenario.ID, Version: s.shared.Version, Wall: s.log.Start(), Setup: setup,
	}})
	return nil
}

// open brings everything up, the agent last.
func (s *session) open(ctx context.Context) (err error) {
	if s.state, err = os.MkdirTemp("", "lostreceipt-"); err != nil {
		return err
	}
	s.hands = &hands{escalations: map[string]string{}}
	s.injector = fault.NewInjector(fault.Config{Plan: s.compiled.Plan, Limits: s.limits(), Log: s.log, Hands: s.hands})
	mark, known := "", func(int) bool { return false }
	if s.place != nil {
		mark, known = s.place.Mark(), s.place.Known
	}
	s.stack, err = stack.Open(ctx, stack.Config{
		Log: s.log, Scenario: s.compiled, Seam: s.injector, Emit: s.emit, Escalated: s.hands.escalated, Avoid: known,
		Ground: s.ground, Failed: s.fail,
	})
	if err != nil {
		return err
	}
	host := ""
	if s.ground != nil {
		host = s.ground.Host()
	}
	s.plane, err = control.New(control.Config{
		Host: host,
		Log:  s.log, Tasks: tasks(s.compiled, mark), Limits: s.limits(), Guarantees: s.compiled.Guarantees, Seed: s.job.Seed,
		Digest:   dialect.ContentDigest,
		Notify:   func(p fault.Point) { s.injector.Observe(context.Background(), p) },
		Open:     s.door,
		Mark:     mark,
		StateDir: func(task string) string { return filepath.Join(s.state, task) },
	})
	if err != nil {
		return err
	}
	crewed, err := s.agent.Open(s.log)
	if err != nil {
		return err
	}
	if housed, ok := crewed.(Housed); ok {
		housed.House(s.state)
	}
	if joined, ok := crewed.(Joined); ok {
		joined.Join(s.plane, stays(s.compiled))
	}
	s.crew = newCrew(crewed, s.plane, s.traffic.wake, s.fail)
	s.hands.crew, s.hands.plane, s.hands.stack, s.hands.traffic = s.crew, s.plane, s.stack, s.traffic
	s.hands.impatience = s.limits().AttemptTimeout / 2
	s.allowance = allowance(s.compiled)
	if err := s.reserve(ctx); err != nil {
		return err
	}
	s.traffic.putOff(s.log.Now())
	for _, t := range s.compiled.Tasks {
		if err := os.Mkdir(filepath.Join(s.state, t.ID), 0o700); err != nil {
			return err
		}
		if _, err := s.crew.start(ctx, t.ID); err != nil {
			return err
		}
	}
	return nil
}

// reserve starts a process for each redispatch of the plan and waits until it
// has asked for work, so that the second worker of a task has it at once: how
// long a program takes to start is no part of a lost lease.
func (s *session) reserve(ctx context.Context) error {
	timer := time.NewTimer(s.shared.StartTimeout)
	defer timer.Stop()
	var kept []string
	for range s.compiled.Plan.Count(fault.Redispatch) {
		id, err := s.crew.start(ctx, "")
		if err != nil {
			return err
		}
		kept = append(kept, id)
	}
	for _, id := range kept {
		select {
		case <-s.plane.Asked(id):
			s.traffic.up(id)
		case <-s.crew.exited(id):
		case <-timer.C:
			return nil // it will be given its task when it asks
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// door opens the services to one work item.
func (s *session) door(ctx context.Context, task, work string) (map[string]string, error) {
	endpoints, err := s.stack.Door(ctx, task, work)
	if s.place != nil {
		s.place.Given(endpoints)
	}
	return endpoints, err
}

// emit passes a service's event on to the task's inbox.
func (s *session) emit(task string, e stack.Event) {
	// A task that is not known would be a call that came through no door.
	_ = s.plane.Emit(task, control.Event{Type: e.Type, Record: e.Record, Seq: e.Seq, Facts: e.Facts})
}

// tasks are the scenario's, as the control plane hands them out. The mark
// stands in the ids of their confirmations too.
func tasks(c *scenario.Compiled, mark string) []control.Task {
	if mark != "" {
		mark = "." + mark
	}
	var out []control.Task
	for _, t := range c.Tasks {
		task := control.Task{ID: t.ID, Type: t.Type, Tenant: t.Tenant, Object: t.Object, OnCancel: t.OnCancel, Input: t.Input()}
		for _, conf := range t.Confirmations {
			task.Confirmations = append(task.Confirmations, control.Confirmation{ID: conf.ID + mark, Content: conf.JSON()})
		}
		out = append(out, task)
	}
	return out
}

// finish ends the agent, then everything else, and writes the last records.
// Each step is bounded and done whatever became of the one before.
func (s *session) finish(reason string) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*patience)
	defer cancel()
	if s.crew != nil {
		s.crew.close()
	}
	if s.injector != nil {
		s.missed = s.injector.Close()
	}
	if s.crew != nil {
		if reason == Settled {
			s.plane.Finish()
			s.crew.leave(ctx, grace)
		}
		s.crew.stop(ctx, grace)
		s.quieten()
	}
	var errs []error
	if s.plane != nil {
		s.plane.Finish()
	}
	if s.stack != nil {
		errs = append(errs, s.stack.Close(ctx))
	}
	if s.plane != nil {
		errs = append(errs, s.plane.Close())
	}
	if s.state != "" {
		errs = append(errs, os.RemoveAll(s.state))
	}
	largest, delays := s.gauge.close(s.log.Start())
	s.log.Append(history.Record{Kind: history.RunNoise, Run: &history.Run{Noise: largest, Delays: delays}})
	s.log.Append(history.Record{Kind: history.RunEnded, Run: &history.Run{Reason: reason}})
	if err := errors.Join(errs...); err != nil {
		s.fail(fmt.Errorf("ending the run: %w", err))
	}
}

// grace is how long a process is given to end by itself, and after SIGTERM.
const grace = time.Second
