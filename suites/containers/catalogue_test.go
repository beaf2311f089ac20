package containers_test

import (
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

// catalogue runs scenarios with the reference, all if none is named, and returns
// the report.
func catalogue(t *testing.T, stack string, only ...string) (*reports.Report, time.Duration) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), stack)
	start := time.Now()
	args := append([]string{"run", "--reference", "--quiet", "--seed", seed, "--stack", stack, "--out", dir}, only...)
	out, status := lostreceipt(t, args...)
	took := time.Since(start)
	r, err := reports.Read(reports.Out(dir).Report())
	if err != nil {
		t.Fatalf("status %d: %v\n%s", status, err, out)
	}
	return r, took
}

// TestTheWholeCataloguePassesInContainers compares it, and its time, with the
// same in one process.
func TestTheWholeCataloguePassesInContainers(t *testing.T) {
	needsEngine(t)
	g := NewWithT(t)
	here, short := catalogue(t, "embedded")
	there, long := catalogue(t, "containers")
	t.Logf("%d scenarios: %s embedded, %s in containers with all that is started and taken away: %.1f times as long",
		len(there.Scenarios), short.Round(100*time.Millisecond), long.Round(100*time.Millisecond), float64(long)/float64(short))
	g.Expect(long).To(BeNumerically("<=", 3*short))
	g.Expect(there.Scenarios).To(HaveLen(len(here.Scenarios)))
	left := unsettled(t, there)
	for range again {
		if len(left) == 0 {
			break
		}
		t.Logf("once more, a few at a time: %v", left)
		r, _ := catalogue(t, "containers", append([]string{"--concurrency", "4"}, left...)...)
		left = unsettled(t, r)
	}
	g.Expect(left).To(BeEmpty(), "the reference passes every scenario in containers")
}

// again is how often what did not pass is run once more: on a busy machine an
// attempt may take longer than its limit, and that is another story.
const again = 2

// unsettled are the scenarios that did not pass.
func unsettled(t *testing.T, r *reports.Report) []string {
	var ids []string
	for _, s := range r.Scenarios {
		if s.Verdict.Outcome != judge.Pass {
			t.Logf("%s: %s %v", s.ID, s.Verdict.Outcome, s.Verdict.Reasons)
			ids = append(ids, s.ID)
		}
	}
	return ids
}
