package run_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	fakeagent "github.com/lostreceipt/lostreceipt/fakes/agent"
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/reports"
	"github.com/lostreceipt/lostreceipt/scenarios"
)

// TestMain makes this binary its own agents.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "agent" {
		if err := fakeagent.Run(context.Background(), fakeagent.Options{Defect: os.Args[2]}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if len(os.Args) > 2 && os.Args[1] == "hostile" {
		hostile(os.Args[2])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// reference is the reference agent, with a defect if one is named.
func reference(defect string) run.Command {
	self, err := run.Self("agent", defect)
	if err != nil {
		panic(err)
	}
	return self
}

// stage is one test's scenarios and where their evidence goes.
type stage struct {
	*WithT
	t   *testing.T
	out string
}

// newStage also demands that nothing is left, running or on disk, when the test ends.
func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{WithT: NewWithT(t), t: t, out: t.TempDir()}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	before := gleak.Goroutines()
	t.Cleanup(func() {
		left, err := os.ReadDir(temporary)
		NewWithT(t).Expect(err).NotTo(HaveOccurred())
		NewWithT(t).Expect(left).To(BeEmpty(), "the agents' state")
		NewWithT(t).Eventually(gleak.Goroutines, time.Minute).ShouldNot(gleak.HaveLeaked(before))
	})
	return s
}

// shared is what the runs of a test share; scale 0 is the default.
func (s *stage) shared(scale float64) run.Shared {
	table, err := scenarios.Contract()
	s.Expect(err).NotTo(HaveOccurred())
	return run.Shared{Contract: table, Scale: scale, StartTimeout: 30 * time.Second, Version: "test"}
}

// limits are those of a run at the default scale.
func (s *stage) limits() contract.Limits { return contract.Defaults().Scale(contract.DefaultScale) }

// catalogued is a scenario of the catalogue.
func (s *stage) catalogued(id string) *scenario.Scenario {
	c, err := scenario.LoadDir(scenarios.Catalogue, scenario.Options{})
	s.Expect(err).NotTo(HaveOccurred())
	found, ok := c.Find(id)
	s.Expect(ok).To(BeTrue(), "scenario %s", id)
	return found
}

// written is a scenario of the test's own.
func (s *stage) written(text string) *scenario.Scenario {
	parsed, err := scenario.Parse("test.yaml", []byte(text), scenario.Options{})
	s.Expect(err).NotTo(HaveOccurred())
	return parsed
}

// dir is where the evidence of a run of this name goes.
func (s *stage) dir(name string) reports.RunDir {
	return reports.RunDir(filepath.Join(s.out, name))
}

// one runs one job and returns its result and its stored history.
func (s *stage) one(ctx context.Context, j run.Job, shared run.Shared) (run.Result, []history.Record) {
	s.t.Helper()
	if j.Dir == "" {
		j.Dir = s.dir(j.Scenario.ID)
	}
	results := run.All(ctx, []run.Job{j}, shared)
	s.Expect(results).To(HaveLen(1))
	return results[0], s.stored(j.Dir)
}

func (s *stage) stored(dir reports.RunDir) []history.Record {
	s.t.Helper()
	stored, err := dir.Load()
	s.Expect(err).NotTo(HaveOccurred())
	s.Expect(stored.Torn).To(BeFalse())
	return stored.Records
}

func rulesOf(r run.Result) []string {
	var rules []string
	for _, f := range r.Verdict.Findings {
		rules = append(rules, f.Rule)
	}
	return rules
}

// kinds are the kinds of records, in their order.
func kinds(records []history.Record) []history.Kind {
	var out []history.Kind
	for _, r := range records {
		out = append(out, r.Kind)
	}
	return out
}

func ofKind(records []history.Record, kind history.Kind) []history.Record {
	var out []history.Record
	for _, r := range records {
		if r.Kind == kind {
			out = append(out, r)
		}
	}
	return out
}
