package main

import (
	"slices"
	"sync"

	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/reports"
)

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
	step := reports.StepOf(id, run.Reported(r).Repetitions[0], t.repeats)
	step.CutOff = r.CutOff()
	t.progress.Finished(step)
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
