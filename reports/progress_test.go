package reports_test

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

// shared is a buffer that several goroutines may use.
type shared struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(b)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

func leakless(t *testing.T) {
	t.Helper()
	before := gleak.Goroutines()
	t.Cleanup(func() {
		NewWithT(t).Eventually(gleak.Goroutines, time.Minute).ShouldNot(gleak.HaveLeaked(before))
	})
}

func step(id string, o judge.Outcome) reports.Step {
	return reports.Step{ID: id, N: 1, Of: 1, Outcome: o, Duration: time.Second}
}

func TestPlainProgressHasALineForEachRun(t *testing.T) {
	g := NewWithT(t)
	var out bytes.Buffer
	p := reports.NewProgress(&out, reports.Look{}, 10, false)
	p.Started("a")
	p.Finished(step("a", judge.Pass))
	s := step("b", judge.Violation)
	s.N, s.Of = 2, 3
	s.Findings = []judge.Finding{duplicate(), {Rule: "promise-broken", Party: judge.Service}, duplicate(), duplicate()}
	p.Finished(s)
	s = step("c", judge.Vacuous)
	s.Reasons = []string{"fault f-1 did not fire", "other"}
	p.Finished(s)
	p.Log("the disk is nearly full")
	p.Close()
	p.Log("too late")
	g.Expect(out.String()).To(Equal(`[ 1/10] ✓ pass a 1s
[ 2/10] ✗ violation b (2 of 3) 1s: duplicate-consequence, promise-broken (party: service), duplicate-consequence and 1 more
[ 3/10] ? vacuous c 1s: fault f-1 did not fire
the disk is nearly full
`))
}

func TestQuietProgressTellsNothing(t *testing.T) {
	var out bytes.Buffer
	p := reports.NewProgress(&out, reports.Look{Live: true}, 2, true)
	p.Started("a")
	p.Finished(step("a", judge.Violation))
	p.Log("x")
	p.Close()
	NewWithT(t).Expect(out.String()).To(BeEmpty())
}

func TestPlainProgressOfManyRunsTellsEachFailureAndSomePasses(t *testing.T) {
	g := NewWithT(t)
	var out bytes.Buffer
	p := reports.NewProgress(&out, reports.Look{}, 10_000, false)
	for n := range 10_000 {
		o := judge.Pass
		if n%1000 == 7 {
			o = judge.Violation
		}
		p.Finished(step(fmt.Sprint(n), o))
	}
	p.Close()
	g.Expect(strings.Count(out.String(), "violation")).To(Equal(10))
	g.Expect(strings.Count(out.String(), "\n")).To(BeNumerically("<=", 210))
	g.Expect(out.String()).To(ContainSubstring("[10000/10000] ✓ pass 9999"))
}

func TestLiveProgressShowsWhatAPersonWaitsFor(t *testing.T) {
	leakless(t)
	g := NewWithT(t)
	out := &shared{}
	p := reports.NewProgress(out, reports.Look{Live: true, Width: 100}, 4, false)
	for _, id := range []string{"a", "b", "c"} {
		p.Started(id)
	}
	p.Finished(step("a", judge.Pass))
	g.Eventually(out.String, time.Minute).Should(ContainSubstring("2 running  1 passed  0 violated  1 left"))
	p.Finished(step("b", judge.Violation))
	p.Finished(step("c", judge.Undetermined))
	g.Eventually(out.String, time.Minute).Should(ContainSubstring("0 running  1 passed  1 violated  1 without a pass  1 left"))
	p.Close()
	p.Close()
	text := out.String()
	g.Expect(text).To(ContainSubstring("[2/4] ✗ violation b 1s\n"))
	g.Expect(text).NotTo(ContainSubstring("✓ pass a"), "what passed does not scroll by")
	g.Expect(lastScreen(text)).NotTo(ContainSubstring("running"), "the live line is taken away")
}

// lastScreen is what stands after the last time that the screen was redrawn.
func lastScreen(text string) string {
	return text[strings.LastIndex(text, "\x1b[J")+1:]
}

func TestProgressIsSafeForManyAtOnceAndLeaksNothing(t *testing.T) {
	for _, look := range []reports.Look{{}, {Live: true}, {Live: true, Color: true}} {
		leakless(t)
		g := NewWithT(t)
		out := &shared{}
		p := reports.NewProgress(out, look, 100, false)
		var all sync.WaitGroup
		for n := range 100 {
			all.Go(func() {
				p.Started("x")
				p.Log(fmt.Sprintf("log %d.", n))
				p.Finished(step(fmt.Sprintf("id-%d.", n), judge.Violation))
			})
		}
		all.Wait()
		p.Close()
		text := ansi.Strip(out.String())
		for n := range 100 {
			g.Expect(strings.Count(text, fmt.Sprintf("id-%d.", n))).To(Equal(1))
			g.Expect(strings.Count(text, fmt.Sprintf("log %d.\n", n))).To(Equal(1))
		}
		g.Expect(text).To(ContainSubstring("[100/100] "))
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, fmt.Errorf("the terminal is gone") }

func TestProgressOutlivesItsTerminal(t *testing.T) {
	for _, look := range []reports.Look{{}, {Live: true}} {
		leakless(t)
		p := reports.NewProgress(broken{}, look, 50, false)
		for range 50 {
			p.Started("a")
			p.Finished(step("a", judge.Violation))
		}
		p.Close()
	}
}

func TestProgressOfAHostileAgentIsHarmless(t *testing.T) {
	g := NewWithT(t)
	var out bytes.Buffer
	p := reports.NewProgress(&out, reports.Look{}, 2, false)
	s := step(hostile, judge.Violation)
	s.Findings = []judge.Finding{{Rule: hostile, Party: judge.Party(hostile)}}
	p.Finished(s)
	s = step(hostile, judge.Outcome(hostile))
	s.Reasons = []string{hostile}
	p.Finished(s)
	p.Log(hostile + strings.Repeat("x", 100_000))
	p.Close()
	g.Expect(raw(out.String())).To(BeEmpty())
	g.Expect(strings.Count(out.String(), "\n")).To(Equal(3))
	g.Expect(out.Len()).To(BeNumerically("<", 10_000))
}
