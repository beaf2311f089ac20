package requirement

import (
	"errors"
	"fmt"
	"slices"
)

// Column is a kind of evidence that a requirement must have.
type Column string

// The columns.
const (
	Scenario Column = "scenario" // provokes it
	Rule     Column = "rule"     // of the judge: finds an implementation that breaks it
	Defect   Column = "defect"   // is such an implementation, of the agent or of a service
)

// Columns are all columns, in the order of their documentation.
func Columns() []Column { return []Column{Scenario, Rule, Defect} }

// Citation is a claim that something shows requirements.
type Citation struct {
	_ struct{}

	Column Column
	By     string // the name of the scenario, the rule or the defect
	IDs    []string
}

// Cover is one requirement with all that cites it, each in the order of the
// citations.
type Cover struct {
	_ struct{}

	Requirement
	By map[Column][]string
}

// Cover joins citations to the requirements, which come in the order of the
// list. The error names every citation of an id that is none, with the nearest
// right spelling.
func (l *List) Cover(citations []Citation) ([]Cover, error) {
	var errs []error
	by := map[string]map[Column][]string{}
	for _, c := range citations {
		for _, id := range c.IDs {
			if err := l.check(id); err != nil {
				errs = append(errs, fmt.Errorf("%s %s covers: %w", c.Column, c.By, err))
				continue
			}
			if by[id] == nil {
				by[id] = map[Column][]string{}
			}
			if !slices.Contains(by[id][c.Column], c.By) {
				by[id][c.Column] = append(by[id][c.Column], c.By)
			}
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	var covers []Cover
	for _, r := range l.All() {
		covers = append(covers, Cover{Requirement: r, By: by[r.ID]})
	}
	return covers, nil
}

// Gaps are the columns in which nothing cites the requirement, although
// something could.
func (c Cover) Gaps() []Column {
	return c.empty(func(col Column) bool { return !slices.Contains(c.ShownBy.InsteadOf, col) })
}

// Elsewhere are the columns in which nothing cites the requirement, and
// something else shows it, see [ShownBy].
func (c Cover) Elsewhere() []Column {
	return c.empty(func(col Column) bool { return slices.Contains(c.ShownBy.InsteadOf, col) })
}

func (c Cover) empty(and func(Column) bool) []Column {
	return slices.DeleteFunc(Columns(), func(col Column) bool { return len(c.By[col]) > 0 || !and(col) })
}
