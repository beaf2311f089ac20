package reports

import (
	"maps"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// total counts the scenarios of a report.
func total(r *Report) Totals {
	t := Totals{Selected: len(r.Selected), Ran: len(r.Scenarios), Missing: len(r.Missing())}
	for _, s := range r.Scenarios {
		t.Findings += len(s.Verdict.Findings)
		switch s.Verdict.Outcome {
		case judge.Pass:
			t.Pass++
		case judge.Violation:
			t.Violation++
		case judge.Vacuous:
			t.Vacuous++
		case judge.Undetermined:
			t.Undetermined++
		case judge.NotApplicable:
			t.NotApplicable++
		default:
			t.HarnessError++
		}
	}
	return t
}

// overall is the outcome of the run. A run that was interrupted, or that has no
// result for a scenario that it was to run, is not a pass.
func overall(r *Report) judge.Outcome {
	outcomes := make([]judge.Outcome, len(r.Scenarios))
	for i, s := range r.Scenarios {
		outcomes[i] = s.Verdict.Outcome
		if !slices.Contains(judge.Outcomes(), s.Verdict.Outcome) {
			outcomes[i] = judge.HarnessError
		}
	}
	worst := judge.Worst(outcomes)
	if worst == judge.Pass && (r.Interrupted != nil || len(r.Missing()) > 0) {
		return judge.Undetermined
	}
	return worst
}

// Missing are the scenarios that were to run and have no result, by id.
func (r *Report) Missing() []string {
	ran := make(map[string]bool, len(r.Scenarios))
	for _, s := range r.Scenarios {
		ran[s.ID] = true
	}
	var missing []string
	for _, id := range r.Selected {
		if !ran[id] {
			missing = append(missing, id)
		}
	}
	slices.Sort(missing)
	return slices.Compact(missing)
}

// Complete tells whether every scenario of the catalogue has a result.
func (r *Report) Complete() bool {
	return r.ofCatalogue() == r.Catalogue.Count && r.Catalogue.Count > 0
}

func (r *Report) ofCatalogue() int {
	n := 0
	for _, s := range r.Scenarios {
		if !s.Outside {
			n++
		}
	}
	return n
}

// lacking groups what is not applicable by capability. What the agent declares
// false is listed even when no scenario that ran needs it.
func lacking(r *Report) []Lacking {
	scenarios := map[string][]string{}
	for _, name := range r.Agent.Lacks {
		scenarios[name] = []string{}
	}
	for _, s := range r.Scenarios {
		if s.Verdict.Outcome != judge.NotApplicable {
			continue
		}
		for _, name := range s.Lacking {
			scenarios[name] = append(scenarios[name], s.ID)
		}
	}
	list := make([]Lacking, 0, len(scenarios))
	for name, ids := range scenarios {
		list = append(list, Lacking{Capability: name, Scenarios: ids})
	}
	slices.SortFunc(list, func(a, b Lacking) int { return strings.Compare(a.Capability, b.Capability) })
	return list
}

// sortedKeys are the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
