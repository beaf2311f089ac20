package run

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

// Concurrency is how many tasks run at once where nothing else is said. A task
// spends most of its time waiting; what bounds it is the memory of as many
// processes of an agent.
func Concurrency() int { return 32 * runtime.GOMAXPROCS(0) }

// All runs the jobs, the longest first, and returns their results in the order
// in which the jobs were given. When ctx ends, those under way are broken off
// and the others are not begun: they have no result.
func All(ctx context.Context, jobs []Job, shared Shared) []Result {
	shared, jobs = shared.complete(), slices.Clone(jobs)
	order := make([]int, len(jobs))
	for i := range jobs {
		order[i] = i
		jobs[i].N = max(jobs[i].N, 1)
	}
	times := make([]time.Duration, len(jobs))
	known := map[*scenario.Scenario]time.Duration{} // a scenario is often repeated
	for i, j := range jobs {
		d, ok := known[j.Scenario]
		if !ok {
			d = estimate(j, shared.scaled())
			known[j.Scenario] = d
		}
		times[i] = d
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(times[b], times[a]) })

	m := newMachine(shared.scaled())
	defer m.noise.stop()
	var (
		telling  sync.Mutex
		promised = map[*scenario.Scenario]contract.Guarantees{}
		workers  sync.WaitGroup
		slots    = make(chan struct{}, shared.Concurrency)
		results  = make([]*Result, len(jobs))
	)
	tell := func(f func()) {
		telling.Lock()
		defer telling.Unlock()
		f()
	}
	for _, i := range order {
		size := min(jobs[i].size(), shared.Concurrency)
		if !take(ctx, slots, size) {
			break
		}
		ticket, queued := queue(jobs[i].Agent), make(chan struct{})
		workers.Go(func() {
			defer func() {
				for range size {
					<-slots
				}
			}()
			tell(func() { shared.Started(jobs[i]) })
			r := one(ctx, jobs[i], shared, m, ticket, sync.OnceFunc(func() { close(queued) }))
			results[i] = &r
			tell(func() {
				// Ten thousand results of the same scenarios need not hold ten thousand lists of promises.
				if promised[r.Job.Scenario] == nil {
					promised[r.Job.Scenario] = r.Guarantees
				}
				r.Guarantees = promised[r.Job.Scenario]
				shared.Done(r)
			})
		})
		<-queued
	}
	workers.Wait()
	var out []Result
	for _, r := range results {
		if r != nil {
			out = append(out, *r)
		}
	}
	return out
}

// take waits for so many slots; it is false when ctx ends before. Only one may
// wait at a time, or two could wait for each other.
func take(ctx context.Context, slots chan<- struct{}, n int) bool {
	for range n {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return false
		}
	}
	return ctx.Err() == nil // both may have been ready
}

// machine is what the runs of one call of [All] share of the machine.
type machine struct {
	noise *noise
	ramp  *ramp
}

// newMachine listens to the machine. What is late by an eighth of an attempt's
// time is near to where verdicts that rest on time become uncertain.
func newMachine(limits contract.Limits) machine {
	n := newNoise()
	m := machine{noise: n, ramp: newRamp(n.late, limits.AttemptTimeout/8)}
	n.listen(m.ramp.look)
	return m
}

// estimate is about how long a job takes, to begin with the longest.
func estimate(j Job, limits contract.Limits) time.Duration {
	c, err := j.Scenario.Compile(limits)
	if err != nil {
		return 0
	}
	d := c.Services.Approval.ApproverAfter + c.Services.Approval.CreateAfter + c.Limits.Settling()
	for _, f := range c.Plan.Faults() {
		for _, e := range f.Do {
			switch e.Name() {
			case "hold", "refuse", "hang", "kill", "pause", "status":
				d += c.Limits.VerificationPeriod / 2
			default:
				d += c.Limits.AttemptTimeout
			}
		}
	}
	for _, e := range c.Expect.AnyOf {
		if slices.Contains(e.Ends, "escalated") { // after all of it
			d += c.Limits.VerificationPeriod
			break
		}
	}
	for _, p := range c.Guarantees {
		if !p.Idempotency.Supported || !p.Query.ByKey {
			d += c.Limits.VerificationPeriod / 4
		}
	}
	return d
}
