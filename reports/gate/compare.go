package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

// Comparison is what changed since an earlier report. It does not decide.
type Comparison struct {
	_ struct{}

	New       []Change `json:"new"`
	Fixed     []Change `json:"fixed"`
	Unchanged []Change `json:"unchanged"`
	Notes     []string `json:"notes,omitempty"` // what makes the two hard to compare
}

// Change is a rule that fires in a scenario, or the outcome of one without a verdict.
type Change struct {
	_ struct{}

	Scenario string `json:"scenario"`
	What     string `json:"what"`
}

func (c Change) String() string { return c.What + " in " + c.Scenario }

// Compare says what is new, fixed and unchanged. Reports of two agents are not
// compared: that is an error.
func Compare(before, now *reports.Report) (*Comparison, error) {
	if before.Agent.Name != now.Agent.Name {
		return nil, fmt.Errorf("the baseline is about the agent %q and the report about %q: name an earlier report of the same agent", line(before.Agent.Name), line(now.Agent.Name))
	}
	c := &Comparison{New: []Change{}, Fixed: []Change{}, Unchanged: []Change{}}
	if before.Catalogue.Digest != now.Catalogue.Digest {
		c.Notes = append(c.Notes, "the catalogue has changed since the baseline: a scenario may be new or gone")
	}
	if before.Contract.Digest != now.Contract.Digest {
		c.Notes = append(c.Notes, "the contract has changed since the baseline: the same act may be judged otherwise")
	}
	was, is := changes(before), changes(now)
	ran := map[string]bool{}
	for _, s := range now.Scenarios {
		ran[line(s.ID)] = true
	}
	gone := 0
	for _, ch := range was {
		switch {
		case slices.Contains(is, ch):
			c.Unchanged = append(c.Unchanged, ch)
		case ran[ch.Scenario]:
			c.Fixed = append(c.Fixed, ch)
		default:
			gone++
		}
	}
	if gone > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s of the baseline in scenarios that did not run now: neither fixed nor unchanged", count(gone, "finding")))
	}
	for _, ch := range is {
		if !slices.Contains(was, ch) {
			c.New = append(c.New, ch)
		}
	}
	return c, nil
}

// changes are what is wrong in a report, sorted, each once.
func changes(r *reports.Report) []Change {
	var list []Change
	for _, s := range r.Scenarios {
		switch s.Verdict.Outcome {
		case judge.Pass, judge.NotApplicable:
		case judge.Violation:
			against, others := decisive(s.Verdict)
			if len(against) == 0 {
				against = others
			}
			for _, f := range against {
				list = append(list, Change{Scenario: line(s.ID), What: line(f.Rule)})
			}
		default:
			list = append(list, Change{Scenario: line(s.ID), What: line(string(s.Verdict.Outcome))})
		}
	}
	slices.SortFunc(list, func(a, b Change) int { return strings.Compare(a.Scenario+"\x00"+a.What, b.Scenario+"\x00"+b.What) })
	return slices.Compact(list)
}
