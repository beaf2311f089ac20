package agent

import (
	"fmt"
	"slices"
	"strings"
)

// Info describes a design or a defect.
type Info struct {
	_ struct{}

	Name string
	// Summary is one sentence: of a design what it does first, of a defect the sentence that it violates.
	Summary string
	// Rule is the judge's rule that must catch a defect; empty for a design.
	Rule string
	// Scenarios are ids of scenarios in which a defect shows; a hint, and not all of them.
	Scenarios []string
	// Covers are the requirements that a defect breaks.
	Covers []string
}

// Reference is the name of the design that runs when none is named.
const Reference = "reference"

// A design is a correct set of policies; a defect spoils one of them.
type design struct {
	Info
	apply func(*policies)
}

type defect struct {
	Info
	apply func(*policies)
}

// Designs are the correct implementations, the reference first.
func Designs() []Info {
	var all []Info
	for _, d := range designs() {
		all = append(all, d.Info)
	}
	return all
}

// Defects are the known-bad variants, by name.
func Defects() []Info {
	var all []Info
	for _, d := range defects() {
		all = append(all, d.Info)
	}
	slices.SortFunc(all, func(a, b Info) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// assemble makes the policies of a design, spoilt by a defect if one is named.
func assemble(designName, defectName string) (*policies, error) {
	if designName == "" {
		designName = Reference
	}
	p := reference()
	i := slices.IndexFunc(designs(), func(d design) bool { return d.Name == designName })
	if i < 0 {
		return nil, fmt.Errorf("agent: unknown design %q (there are %s)", designName, names(Designs()))
	}
	designs()[i].apply(p)
	if defectName == "" {
		return p, nil
	}
	i = slices.IndexFunc(defects(), func(d defect) bool { return d.Name == defectName })
	if i < 0 {
		return nil, fmt.Errorf("agent: unknown defect %q (there are %s)", defectName, names(Defects()))
	}
	defects()[i].apply(p)
	return p, nil
}

func names(all []Info) string {
	s := make([]string, len(all))
	for i, info := range all {
		s[i] = info.Name
	}
	return strings.Join(s, ", ")
}
