package contract

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// sound refuses a table that contradicts itself or leaves something out. Its
// rows have been read without a mistake.
func (p *parser) sound(n *yaml.Node, t *Table) {
	p.steps = maxSteps
	for i := range t.Rows {
		p.reachable(t, i)
		p.consistent(&t.Rows[i], p.places[i])
	}
	p.steps = maxSteps // whatever the rows took
	p.complete(n, t)
}

// reachable refuses a row that can never match, because the rows above it take
// all of it, one alone or some of them together.
func (p *parser) reachable(t *Table, i int) {
	above := make([]int, i)
	for n := range above {
		above[n] = n
	}
	by, taken := p.take(t, t.Rows[i].When, above)
	if !taken {
		return
	}
	for n := len(by) - 1; n >= 0 && len(by) > 1; n-- { // those that it does not need
		if fewer, still := p.take(t, t.Rows[i].When, slices.Delete(slices.Clone(by), n, n+1)); still {
			by, n = fewer, len(fewer)
		}
	}
	names := make([]string, len(by))
	for n, row := range by {
		names[n] = fmt.Sprintf("%q (line %d)", t.Rows[row].ID, t.Rows[row].Line)
	}
	one := "row "
	if len(names) > 1 {
		one = "one of the rows "
	}
	p.fail(p.places[i].row, "row %q can never match: %s%s matches whenever it would", t.Rows[i].ID, one, strings.Join(names, ", "))
}

// take tells whether these rows leave nothing of a condition, and which of them
// take a part of it, in their order.
func (p *parser) take(t *Table, all Condition, rows []int) (by []int, taken bool) {
	these := make([]Row, len(rows))
	for n, row := range rows {
		these[n] = t.Rows[row]
	}
	used := map[int]bool{}
	for _, s := range all.standings() {
		c := newCover(s, these, &p.steps)
		if _, gap := c.gap(all.Is, all.Not); gap || c.tangled {
			return nil, false
		}
		for n := range c.used {
			used[n] = true
		}
	}
	for n, row := range rows {
		if used[n] {
			by = append(by, row)
		}
	}
	return by, true
}

// complete demands that some row takes every intent, whatever the facts are.
func (p *parser) complete(n *yaml.Node, t *Table) {
	type gap struct {
		facts cube
		of    []string
	}
	var gaps []gap
	for _, s := range (Condition{}).standings() {
		c := newCover(s, t.Rows, &p.steps)
		facts, left := c.gap(0, 0)
		switch i := slices.IndexFunc(gaps, func(g gap) bool { return g.facts == facts }); {
		case c.tangled:
			p.fail(n, "the conditions are too many to tell whether some row takes every intent that is %s: add a last row without facts", s)
		case !left:
		case i >= 0:
			gaps[i].of = append(gaps[i].of, s.String())
		default:
			gaps = append(gaps, gap{facts, []string{s.String()}})
		}
	}
	for _, g := range gaps {
		p.fail(n, "no row matches an intent that is %s%s: add one, such as a last row without facts", strings.Join(g.of, " or "), g.facts)
	}
}

// consistent refuses permits that exclude the row that they stand in, and duties
// that the row does not allow.
func (p *parser) consistent(r *Row, at place) {
	for i, permit := range r.Allow {
		both := r.When.Is&permit.If.Not | r.When.Not&permit.If.Is
		switch standings := r.When.Standing & permit.If.Standing; {
		case both != 0:
			p.fail(at.permits[i], "row %q never allows %s: the row and the permit disagree about %s", r.ID, permit.Action, both)
		case r.When.Standing != 0 && permit.If.Standing != 0 && standings == 0:
			p.fail(at.permits[i], "row %q never allows %s: the row is for intents that are %s, the permit for those that are %s",
				r.ID, permit.Action, r.When.Standing, permit.If.Standing)
		}
	}
	if r.Demands(MustEscalate) {
		p.allowed(r, at, Escalate)
	}
	for _, duty := range []string{PauseDependents, NoDependents} {
		if r.Demands(duty) && slices.ContainsFunc(r.Allow, func(permit Permit) bool { return permit.Action == Purchase }) {
			p.fail(at.must, "row %q demands %s and allows %s", r.ID, duty, Purchase)
		}
	}
}

// allowed demands that a row allows an action whenever it matches.
func (p *parser) allowed(r *Row, at place, a Action) {
	var permits []Row
	for _, permit := range r.Allow {
		if permit.Action == a {
			permits = append(permits, Row{When: permit.If})
		}
	}
	if len(permits) == 0 {
		p.fail(at.must, "row %q demands %s and does not allow it", r.ID, a)
		return
	}
	for _, s := range r.When.standings() {
		if facts, left := newCover(s, permits, &p.steps).gap(r.When.Is, r.When.Not); left {
			p.fail(at.must, "row %q demands %s and does not allow it to an intent that is %s%s", r.ID, a, s, facts)
			return
		}
	}
}
