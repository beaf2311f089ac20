package run_test

import (
	"os"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/scenarios"
)

// short are scenarios of every kind that are over soon: calm ones, lost
// receipts and requests, a batch, a kill, a second worker.
func short() []string {
	return []string{
		"no-fault", "preview-only", "lost-receipt-reset", "lost-receipt-close", "lost-request-reset", "equal-orders",
		"success-text-in-error", "two-workers", "kill-before-receipt", "lost-purchase-receipt",
	}
}

// usage is what this process holds.
type usage struct {
	heap       uint64 // bytes that live, after a collection
	goroutines int
	fds        int // -1 where they cannot be counted
}

func use() usage {
	for range 3 { // what pools keep is kept for two collections
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	u := usage{heap: m.HeapAlloc, goroutines: runtime.NumGoroutine(), fds: -1}
	if entries, err := os.ReadDir("/proc/self/fd"); err == nil {
		u.fds = len(entries)
	}
	return u
}

// processing is the time that processors spent on this process and on those that it has waited for.
func processing() time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var r syscall.Rusage
		if syscall.Getrusage(who, &r) == nil {
			sum += time.Duration(r.Utime.Nano() + r.Stime.Nano())
		}
	}
	return sum
}

// warm runs jobs of the reference agent with a pool of workers, and reports how
// fast, at which cost of processors, and with which outcomes.
func warm(b *testing.B, workers int, jobs []run.Job) {
	b.Helper()
	table, err := scenarios.Contract()
	if err != nil {
		b.Fatal(err)
	}
	pool, err := run.NewWorkers(reference(""), workers)
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	for i := range jobs {
		jobs[i].Agent = pool
	}
	outcomes := map[judge.Outcome]int{}
	before := use()
	begin, spent := time.Now(), processing()
	results := run.All(b.Context(), jobs, run.Shared{Contract: table, Concurrency: 2 * workers, Done: func(r run.Result) {
		outcomes[r.Verdict.Outcome]++
		if r.Verdict.Outcome == judge.HarnessError {
			b.Logf("%s: %s %v", r.Job.Scenario.ID, r.Problem, r.Verdict.Reasons)
		}
	}})
	b.ReportMetric(float64(len(jobs))/time.Since(begin).Seconds(), "scenarios/s")
	pool.Close()
	after := use()
	b.ReportMetric(float64(after.goroutines-before.goroutines), "goroutines-left")
	b.ReportMetric(float64(after.fds-before.fds), "fds-left")
	b.ReportMetric((float64(after.heap)-float64(before.heap))/float64(len(results)), "B-kept/scenario")
	runtime.KeepAlive(results)
	b.ReportMetric(float64(processing()-spent)/float64(time.Millisecond)/float64(len(jobs)), "ms-cpu/scenario")
	for _, o := range []judge.Outcome{judge.Pass, judge.Undetermined, judge.Violation, judge.HarnessError} {
		b.ReportMetric(float64(outcomes[o]), string(o))
	}
}

func loadCatalogue(b *testing.B) *scenario.Catalogue {
	b.Helper()
	catalogue, err := scenario.LoadDir(scenarios.Catalogue, scenario.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return catalogue
}

// BenchmarkWorkers is how many scenarios a second a pool of workers does, over
// the whole catalogue eight times. The goal on two cores is 50. A worker waits
// most of its time, so it takes many to make the cores the limit.
func BenchmarkWorkers(b *testing.B) {
	var jobs []run.Job
	for range 8 {
		for _, s := range loadCatalogue(b).All() {
			jobs = append(jobs, run.Job{Scenario: s})
		}
	}
	for b.Loop() {
		warm(b, 160, jobs)
	}
}

// BenchmarkSoak runs short scenarios with a pool of workers. Ten thousand of
// them show that nothing grows:
//
//	make bench SOAK=10000
//
// What is kept of each scenario is its result, for the report.
func BenchmarkSoak(b *testing.B) {
	scenes := slices.DeleteFunc(loadCatalogue(b).All(), func(s *scenario.Scenario) bool { return !slices.Contains(short(), s.ID) })
	jobs := make([]run.Job, b.N)
	for i := range jobs {
		jobs[i] = run.Job{Scenario: scenes[i%len(scenes)]}
	}
	warm(b, 48, jobs)
}
