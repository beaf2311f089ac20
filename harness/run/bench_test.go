package run_test

import (
	"testing"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/scenarios"
)

// BenchmarkCatalogue is the wall time of the whole catalogue with the reference
// agent, against that of its longest scenario. The goal is at most 1.25.
func BenchmarkCatalogue(b *testing.B) {
	b.Run("process-a-task", func(b *testing.B) { wholeCatalogue(b, reference("")) })
	b.Run("workers", func(b *testing.B) {
		pool, err := run.NewWorkers(reference(""), run.Concurrency())
		if err != nil {
			b.Fatal(err)
		}
		defer pool.Close()
		wholeCatalogue(b, pool)
	})
}

func wholeCatalogue(b *testing.B, a run.Agent) {
	table, err := scenarios.Contract()
	if err != nil {
		b.Fatal(err)
	}
	var jobs []run.Job
	for _, s := range loadCatalogue(b).All() {
		jobs = append(jobs, run.Job{Scenario: s, Agent: a})
	}
	var wall, longest, noise time.Duration
	for b.Loop() {
		start, most := time.Now(), time.Duration(0)
		for _, r := range run.All(b.Context(), jobs, run.Shared{Contract: table}) {
			if r.Verdict.Outcome != judge.Pass {
				b.Errorf("%s: %s", r.Job.Scenario.ID, r.Verdict.Outcome)
			}
			most, noise = max(most, r.Took), max(noise, r.Verdict.Noise)
		}
		wall, longest = wall+time.Since(start), longest+most
	}
	b.ReportMetric(float64(wall)/float64(longest), "wall/longest")
	b.ReportMetric(float64(noise)/float64(time.Millisecond), "ms-noise")
}
