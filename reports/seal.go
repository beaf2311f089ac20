package reports

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

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
	s.Duration, s.Repetitions = 0, slices.Clone(s.Repetitions)
	for i, rep := range s.Repetitions {
		outcomes[i] = rep.Outcome
		s.Duration += rep.Duration
		if rep.Verdict.Outcome == judge.Violation { // it is not there where the report was read
			s.Repetitions[i].Rules, s.Repetitions[i].Hidden = deciding(rep.Verdict), rep.Verdict.Hidden
		}
	}
	worst := judge.Worst(outcomes)
	s.Verdict = s.Repetitions[slices.Index(outcomes, worst)].Verdict
	s.Verdict.Outcome = worst
	return s
}

// deciding are the rules on which a violation may rest, each once.
func deciding(v judge.Verdict) []string {
	var rules []string
	for _, f := range v.Findings {
		if Decides(f) && !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	return rules
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

// Cut tells whether the verdict may have more findings than the report holds.
func (s Scenario) Cut() bool { return len(s.Verdict.Findings) >= maxFindings }

// Seal orders the scenarios by id and sets what follows from them: totals,
// outcome, noise, assumed guarantees and what is not applicable. What is too
// long for a report is cut; the evidence keeps it. Nothing is added afterwards.
func (r *Report) Seal(took time.Duration) {
	r.Duration = took
	slices.SortStableFunc(r.Scenarios, func(a, b Scenario) int { return strings.Compare(a.ID, b.ID) })
	slices.Sort(r.Selected)
	r.Selected = slices.Compact(r.Selected)
	for i, s := range r.Scenarios {
		r.Noise = max(r.Noise, s.Verdict.Noise)
		r.Scenarios[i].Verdict = shortened(s.Verdict)
	}
	r.Totals = total(r)
	r.Outcome = overall(r)
	r.Assumed = assume(r.Scenarios, r.Scale)
	r.Assumption = ProductionMustVerify
	r.NotApplicable = lacking(r)
}

// What a report holds of one verdict at most. The whole verdict stands in the evidence.
const (
	maxFindings = 50
	maxText     = 8 << 10 // bytes of one text
	maxRecords  = 200     // numbers of records in one finding
)

// shortened bounds a verdict. A report that leaves findings out says so.
func shortened(v judge.Verdict) judge.Verdict {
	if n := len(v.Findings) - maxFindings; n > 0 {
		v.Findings = v.Findings[:maxFindings]
		v.Reasons = append(slices.Clone(v.Reasons), fmt.Sprintf("%d more findings stand in %s", n, verdictName))
	}
	if n := len(v.Reasons) - maxFindings; n > 0 {
		v.Reasons = v.Reasons[n:]
	}
	v.Findings, v.Reasons, v.Ends = slices.Clone(v.Findings), cuts(v.Reasons), cuts(v.Ends)
	for i := range v.Findings {
		f := &v.Findings[i]
		for _, s := range []*string{&f.Rule, &f.Task, &f.Intent, &f.Row, &f.Action, &f.Observed, &f.Cause, &f.Correct, &f.Repeat} {
			*s = cutAt(*s, maxText)
		}
		f.Allowed, f.Must, f.Records = cuts(f.Allowed), cuts(f.Must), bounded(f.Records, maxRecords)
	}
	return v
}

func cuts(list []string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = cutAt(list[i], maxText)
	}
	return list
}

// cutAt keeps whole characters within limit bytes, then an ellipsis.
func cutAt(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}
