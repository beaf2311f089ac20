package reports

import (
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// New is an empty report of this schema on this machine. The caller fills in
// who, what and which, adds scenarios and seals it.
func New() *Report {
	return &Report{
		Schema:  Schema,
		Harness: Harness{Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: runtime.NumCPU()},
	}
}

// Add puts the result of a scenario into the report. If it has repetitions, its
// verdict and duration are made from them: the verdict is that of the first
// repetition with the worst outcome. A second result of the same id is added to
// the repetitions of the first. Add is not safe for concurrent use.
func (r *Report) Add(s Scenario) {
	for i := range r.Scenarios {
		if r.Scenarios[i].ID == s.ID {
			s.Repetitions = append(slices.Clone(r.Scenarios[i].Repetitions), s.Repetitions...)
			r.Scenarios[i] = settle(s)
			return
		}
	}
	r.Scenarios = append(r.Scenarios, settle(s))
}

// settle makes the verdict of a scenario from those of its repetitions.
func settle(s Scenario) Scenario {
	if len(s.Repetitions) == 0 {
		return s
	}
	outcomes := make([]judge.Outcome, len(s.Repetitions))
	s.Duration = 0
	for i, rep := range s.Repetitions {
		outcomes[i] = rep.Outcome
		s.Duration += rep.Duration
	}
	worst := judge.Worst(outcomes)
	s.Verdict = s.Repetitions[slices.Index(outcomes, worst)].Verdict
	s.Verdict.Outcome = worst
	return s
}

// Stable tells whether all repetitions ended alike.
func (s Scenario) Stable() bool {
	for _, rep := range s.Repetitions {
		if rep.Outcome != s.Repetitions[0].Outcome {
			return false
		}
	}
	return true
}

// Seal orders the scenarios by id and sets what follows from them: totals,
// outcome, noise, assumed guarantees and what is not applicable. Nothing is
// added afterwards.
func (r *Report) Seal(took time.Duration) {
	r.Duration = took
	slices.SortStableFunc(r.Scenarios, func(a, b Scenario) int { return strings.Compare(a.ID, b.ID) })
	slices.Sort(r.Selected)
	r.Selected = slices.Compact(r.Selected)
	for _, s := range r.Scenarios {
		r.Noise = max(r.Noise, s.Verdict.Noise)
	}
	r.Totals = total(r)
	r.Outcome = overall(r)
	r.Assumed = assume(r.Scenarios, r.Scale)
	r.Assumption = ProductionMustVerify
	r.NotApplicable = lacking(r)
}
