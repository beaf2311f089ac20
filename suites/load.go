package suites

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/onsi/ginkgo/v2"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/reports"
	"github.com/lostreceipt/lostreceipt/scenarios"
)

// stock is what a suite reads, once.
type stock struct {
	once      sync.Once
	err       error
	table     *contract.Table
	catalogue *scenario.Catalogue
	scenarios []*scenario.Scenario // that were chosen, a spec each
	seed      uint64
}

// load reads contract and scenarios and makes the jobs. It is called when
// flags are parsed, and returns the same error every time.
func (s *Suite) load() error {
	s.stock.once.Do(func() {
		if err := s.read(); err != nil {
			s.stock.err = fmt.Errorf("suites: %w", err)
		}
	})
	return s.stock.err
}

func (s *Suite) read() (err error) {
	o := s.options
	if o.Agent == nil {
		return errors.New(`no agent to run: set Options.Agent, for example to suites.Command("python3", "adapter.py")`)
	}
	for _, name := range o.Lacks {
		if known := scenario.Capabilities(); !slices.Contains(known, name) {
			return fmt.Errorf("unknown capability %q in Options.Lacks%s: one of %s", name, nearest(name, known), strings.Join(known, ", "))
		}
	}
	if s.stock.table = o.Contract; o.Contract == nil {
		if s.stock.table, err = scenarios.Contract(); err != nil {
			return err
		}
	}
	if s.stock.catalogue, err = loadScenarios(o, s.stock.table); err != nil {
		return err
	}
	if s.stock.scenarios, err = s.stock.catalogue.Select(o.Select...); err != nil {
		return err
	}
	s.jobs()
	return nil
}

// loadScenarios reads the suite's own scenarios against its table, or those that
// ship with the harness against the table that does: another may have other rows.
func loadScenarios(o Options, table *contract.Table) (*scenario.Catalogue, error) {
	list, err := scenarios.Requirements()
	if err != nil {
		return nil, err
	}
	against := scenario.Options{Requirements: list.IDs()}
	fsys := o.Scenarios
	if fsys == nil {
		fsys, against.Root = scenarios.Catalogue, "scenarios"
		if table, err = scenarios.Contract(); err != nil {
			return nil, err
		}
	}
	for _, row := range table.Rows {
		against.Rows = append(against.Rows, row.ID)
	}
	for _, rule := range judge.Rules() {
		against.Rules = append(against.Rules, rule.ID)
	}
	return scenario.LoadDir(fsys, against)
}

// jobs makes a job of each scenario.
func (s *Suite) jobs() {
	s.stock.seed = s.options.Seed
	if s.stock.seed == 0 {
		s.stock.seed = uint64(ginkgo.GinkgoRandomSeed())
	}
	s.ahead.shared = run.Shared{
		Contract: s.stock.table, Scale: s.options.Scale, Concurrency: s.options.Concurrency, Version: version(),
	}
	for _, sc := range s.stock.scenarios {
		job := run.Job{
			Scenario: sc, Agent: s.options.Agent, N: 1, Seed: run.Seed(s.stock.seed, sc.ID), Lacks: s.options.Lacks, Repeat: s.repeat(sc.ID),
		}
		if s.options.Out != "" {
			job.Dir = reports.Out(s.options.Out).Run(sc.ID, 1)
		}
		s.ahead.jobs[sc.ID] = job
	}
}

// labels are the labels of a scenario's spec: its id, what it covers, its own.
func labels(sc *scenario.Scenario) ginkgo.Labels {
	all := ginkgo.Labels{sc.ID}
	for _, label := range slices.Concat(sc.Covers, sc.Labels) {
		// Label filters do not tell cases apart.
		if !slices.ContainsFunc(all, func(l string) bool { return strings.EqualFold(l, label) }) {
			all = append(all, label)
		}
	}
	return all
}

// nearest is a hint at what was meant.
func nearest(written string, among []string) string {
	if near := fault.Nearest(written, among); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}
