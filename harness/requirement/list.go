package requirement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// List is all requirements, by section.
type List struct {
	_ struct{}

	Sections []Section
}

// Section is a group of requirements whose ids begin with its own.
type Section struct {
	_ struct{}

	ID           string // A letter.
	Title        string
	Requirements []Requirement
}

// Requirement is one statement that is to be shown.
type Requirement struct {
	_ struct{}

	ID        string
	Statement string
	ShownBy   ShownBy
}

// ShownBy says what shows a requirement in columns that can have no citation.
// The zero value: there are none.
type ShownBy struct {
	_ struct{}

	InsteadOf []Column
	Why       string
	Tests     []string // of this repository, as "reports.TestIt", each one that exists
}

// All are the requirements, in the order of the file.
func (l *List) All() []Requirement {
	var all []Requirement
	for _, s := range l.Sections {
		all = append(all, s.Requirements...)
	}
	return all
}

// IDs are the ids of all requirements, in the order of the file.
func (l *List) IDs() []string {
	var ids []string
	for _, r := range l.All() {
		ids = append(ids, r.ID)
	}
	return ids
}

// SectionIDs are the ids of all sections, in the order of the file.
func (l *List) SectionIDs() []string {
	var ids []string
	for _, s := range l.Sections {
		ids = append(ids, s.ID)
	}
	return ids
}

// Section finds a section by its id. The error names the sections that there are.
func (l *List) Section(id string) (Section, error) {
	i := slices.IndexFunc(l.Sections, func(s Section) bool { return s.ID == id })
	if i < 0 {
		return Section{}, fmt.Errorf("unknown section %q: one of %s", id, strings.Join(l.SectionIDs(), ", "))
	}
	return l.Sections[i], nil
}

// check returns an error when an id is none of the list.
func (l *List) check(id string) error {
	ids := l.IDs()
	if slices.Contains(ids, id) {
		return nil
	}
	if near := fault.Nearest(id, ids); near != "" {
		return fmt.Errorf("unknown requirement %q (did you mean %q?)", id, near)
	}
	return fmt.Errorf("unknown requirement %q: lostreceipt list requirements names them all", id)
}
