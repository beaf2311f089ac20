package run_test

import (
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/scenarios"
)

// short are scenarios of every kind that are over soon: calm ones, lost
// receipts, refusals, a batch, a kill.
func short() []string {
	return []string{
		"no-fault", "refused", "preview-only", "lost-receipt-reset", "lost-receipt-close", "lost-request", "equal-orders",
		"success-text-in-error", "two-workers", "kill-before-receipt",
	}
}

// usage is what this process holds.
type usage struct {
	heap       uint64 // bytes that live, after a collection
	goroutines int
	fds        int // -1 where they cannot be counted
}

func use() usage {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u := usage{heap: m.HeapAlloc, goroutines: runtime.NumGoroutine(), fds: -1}
	if entries, err := os.ReadDir("/proc/self/fd"); err == nil {
		u.fds = len(entries)
	}
	return u
}

// BenchmarkSoak runs short scenarios with a pool of workers, at a small time
// scale. Ten thousand of them show that nothing grows:
//
//	go test -run '^$' -bench Soak -benchtime 10000x -timeout 1h ./harness/run
//
// The growth is that from a tenth of the run to its end. What a run keeps of
// each scenario is its verdict, for the report.
func BenchmarkSoak(b *testing.B) {
	table, err := scenarios.Contract()
	if err != nil {
		b.Fatal(err)
	}
	catalogue, err := scenario.LoadDir(scenarios.Catalogue, scenario.Options{})
	if err != nil {
		b.Fatal(err)
	}
	var scenes []*scenario.Scenario
	for _, s := range catalogue.All() {
		if slices.Contains(short(), s.ID) {
			scenes = append(scenes, s)
		}
	}
	pool, err := run.NewWorkers(reference(""), 32)
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	jobs := make([]run.Job, b.N)
	for i := range jobs {
		jobs[i] = run.Job{Scenario: scenes[i%len(scenes)], Agent: pool}
	}
	var first, last usage
	done, outcomes := 0, map[judge.Outcome]int{}
	begin := time.Now()
	run.All(b.Context(), jobs, run.Shared{Contract: table, Concurrency: 64, Done: func(r run.Result) {
		outcomes[r.Verdict.Outcome]++
		if r.Verdict.Outcome == judge.HarnessError {
			b.Errorf("%s: %s %v", r.Job.Scenario.ID, r.Problem, r.Verdict.Reasons)
		}
		if r.Verdict.Outcome == judge.Violation {
			b.Logf("%s: %v", r.Job.Scenario.ID, r.Verdict.Findings)
		}
		switch done++; done {
		case max(b.N/10, 1):
			first = use()
		case b.N:
			last = use()
		}
	}})
	b.ReportMetric(float64(b.N)/time.Since(begin).Seconds(), "scenarios/s")
	if b.N > 1000 {
		b.ReportMetric((float64(last.heap)-float64(first.heap))/float64(b.N-b.N/10), "B-kept/scenario")
		b.ReportMetric(float64(last.heap)/(1<<20), "MB-heap")
		b.ReportMetric(float64(last.goroutines-first.goroutines), "goroutines-more")
		b.ReportMetric(float64(last.fds-first.fds), "fds-more")
	}
	for _, o := range []judge.Outcome{judge.Pass, judge.Undetermined, judge.Vacuous, judge.Violation, judge.HarnessError} {
		b.ReportMetric(float64(outcomes[o]), string(o))
	}
}
