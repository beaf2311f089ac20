package fault

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// revise replaces fields of the confirmed content.
type revise struct{ content map[string]string }

func reviseKind() Kind {
	return Kind{
		Name: "revise", Family: People, Place: Before, Needs: []string{"revise"},
		Summary: "a person revises and confirms the content again: these fields get these values, and the confirmation a higher version",
		Usage:   "revise: {<field>: <value>, ...}",
		Where:   "every anchor",
		Stand:   anywhere,
		Decode: func(r *Reader) Effect {
			content := r.Map("{amount: 900.00}")
			if len(content) == 0 && (!r.Present() || r.Written().Shape == Map) {
				r.Complain("revise what? Write the fields that change, such as revise: {amount: 900.00}")
			}
			return revise{content}
		},
	}
}

func (revise) Name() string { return "revise" }

func (r revise) String() string { return "revise: {" + r.fields() + "}" }
func (r revise) Words() string {
	return "a person revises the content (" + r.fields() + ") and confirms it"
}

func (r revise) fields() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(r.content)) {
		parts = append(parts, fmt.Sprintf("%s: %s", name, r.content[name]))
	}
	return strings.Join(parts, ", ")
}

func (r revise) Apply(f *Firing) {
	task, content := f.Point.Task, maps.Clone(r.content)
	f.Move("revise", func(ctx context.Context, h Hands) error { return h.Revise(ctx, task, content) })
}
