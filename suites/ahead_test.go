package suites

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

// stage stands for run.All: each scenario runs until the test lets it end.
type stage struct {
	mu     sync.Mutex
	starts map[string]int
	end    map[string]chan struct{}
	lost   []string // have no result
	panics bool
	over   atomic.Bool // all has returned
}

func newStage(t *testing.T, ids ...string) (*stage, *ahead) {
	t.Helper()
	before := gleak.Goroutines()
	s := &stage{starts: map[string]int{}, end: map[string]chan struct{}{}}
	a := newAhead(s.all)
	for _, id := range ids {
		s.end[id] = make(chan struct{})
		a.jobs[id] = run.Job{Scenario: &scenario.Scenario{ID: id}}
	}
	t.Cleanup(func() {
		a.stop()
		NewWithT(t).Eventually(gleak.Goroutines, time.Minute).WithTimeout(time.Minute).ShouldNot(gleak.HaveLeaked(before))
	})
	return s, a
}

func (s *stage) all(ctx context.Context, jobs []run.Job, shared run.Shared) []run.Result {
	if s.panics {
		panic("no room")
	}
	var running sync.WaitGroup
	var telling sync.Mutex
	for _, j := range jobs {
		running.Go(func() {
			s.mu.Lock()
			s.starts[j.Scenario.ID]++
			s.mu.Unlock()
			select {
			case <-s.end[j.Scenario.ID]:
			case <-ctx.Done():
				return
			}
			if slices.Contains(s.lost, j.Scenario.ID) {
				return
			}
			telling.Lock()
			defer telling.Unlock()
			shared.Done(run.Result{Job: j, Verdict: judge.Verdict{Outcome: judge.Pass, Reasons: []string{j.Scenario.ID}}})
		})
	}
	running.Wait()
	for range 1000 { // whoever does not wait for it is gone by then
		runtime.Gosched()
	}
	s.over.Store(true)
	return nil
}

func (s *stage) started() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprint(s.starts)
}

func TestWhatIsLaunchedRunsAtOnceAndOnce(t *testing.T) {
	g := NewWithT(t)
	s, a := newStage(t, "a", "b", "c")
	a.launch([]string{"a", "b"})
	g.Eventually(s.started, time.Minute).Should(Equal("map[a:1 b:1]"))

	close(s.end["b"]) // b's own spec gets b, although a runs on
	r, err := a.await(context.Background(), "b")
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(r.Verdict.Reasons).To(Equal([]string{"b"}))

	close(s.end["a"])
	a.launch([]string{"a", "b"})
	for range 2 {
		r, err = a.await(context.Background(), "a")
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(r.Verdict.Reasons).To(Equal([]string{"a"}))
	}
	g.Expect(s.started()).To(Equal("map[a:1 b:1]"))
}

func TestWhatNobodyLaunchedRunsWhenItIsAwaited(t *testing.T) {
	g := NewWithT(t)
	s, a := newStage(t, "a", "b")
	close(s.end["a"])
	g.Expect(s.started()).To(Equal("map[]"))
	r, err := a.await(context.Background(), "a")
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(r.Verdict.Reasons).To(Equal([]string{"a"}))
	g.Expect(s.started()).To(Equal("map[a:1]"))
}

func TestASpecThatIsInterruptedWaitsNoLonger(t *testing.T) {
	g := NewWithT(t)
	s, a := newStage(t, "a", "b")
	a.launch([]string{"a"})
	why := errors.New("interrupted by a test")
	ctx, cancel := context.WithCancelCause(context.Background())
	g.Eventually(s.started, time.Minute).Should(Equal("map[a:1]"))
	cancel(why)
	_, err := a.await(ctx, "a")
	g.Expect(err).To(MatchError("suites: waiting for scenario a: interrupted by a test"))
	g.Expect(err).To(MatchError(why))
	_, err = a.await(ctx, "b")
	g.Expect(err).To(MatchError(why))
}

func TestStopEndsWhatRunsAhead(t *testing.T) {
	g := NewWithT(t)
	s, a := newStage(t, "a")
	a.launch([]string{"a"})
	g.Eventually(s.started, time.Minute).Should(Equal("map[a:1]"))
	a.stop()
	g.Expect(s.over.Load()).To(BeTrue(), "stop does not wait")
	_, err := a.await(context.Background(), "a")
	g.Expect(err).To(MatchError("suites: scenario a did not run: context canceled"))
	a.stop()
}

func TestAPanicOfTheWholeIsAnErrorOfEach(t *testing.T) {
	g := NewWithT(t)
	s, a := newStage(t, "a", "b", "c")
	s.panics = true
	a.launch([]string{"a", "b"})
	for _, id := range []string{"a", "b", "c"} { // c nobody launched
		_, err := a.await(context.Background(), id)
		g.Expect(err).To(MatchError(HavePrefix("suites: scenario " + id + " did not run: panic: no room\ngoroutine ")))
	}
}

func TestAScenarioWithoutAResultIsAnError(t *testing.T) {
	g := NewWithT(t)
	s, a := newStage(t, "a", "b")
	s.lost = []string{"a"}
	close(s.end["a"])
	close(s.end["b"])
	a.launch([]string{"a", "b"})
	_, err := a.await(context.Background(), "b")
	g.Expect(err).NotTo(HaveOccurred())
	_, err = a.await(context.Background(), "a")
	g.Expect(err).To(MatchError("suites: scenario a did not run: it was left out"))
}

func TestAnUnknownScenarioIsAnError(t *testing.T) {
	g := NewWithT(t)
	_, a := newStage(t, "a")
	_, err := a.await(context.Background(), "x")
	g.Expect(err).To(MatchError(`suites: there is no scenario "x" in this suite`))
}
