package contract

import (
	"math/bits"
	"strings"
)

// cube is all circumstances in which some facts hold and some do not, whatever
// the others are.
type cube struct{ is, not Facts }

// String lists them in parentheses, with a blank before: " (cancelled; not
// revised)". It is "" for all circumstances.
func (c cube) String() string {
	var parts []string
	if c.is != 0 {
		parts = append(parts, c.is.String())
	}
	if c.not != 0 {
		parts = append(parts, "not "+c.not.String())
	}
	if parts == nil {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// standings are those that the condition is about.
func (c Condition) standings() []Standing {
	if c.Standing == 0 {
		return Standings(1<<len(standingNames) - 1).All()
	}
	return c.Standing.All()
}

// cover is the circumstances that the rows of one standing take together.
type cover struct {
	rows    map[int]cube // by number, those that concern the standing
	n       int
	used    map[int]bool // rows that [cover.gap] has found to take a part
	steps   *int         // that are left
	tangled bool         // gap has given up
}

// maxSteps bounds the search for gaps in one table. One that needs more is no
// table that a person can read.
const maxSteps = 1 << 20

func newCover(s Standing, rows []Row, steps *int) *cover {
	c := &cover{rows: map[int]cube{}, n: len(rows), used: map[int]bool{}, steps: steps}
	for i, r := range rows {
		if r.When.Standing == 0 || r.When.Standing.Has(s) {
			c.rows[i] = cube{r.When.Is, r.When.Not}
		}
	}
	return c
}

// gap finds circumstances, among those in which these facts hold and do not,
// that no row takes. It splits them at a fact that decides about a row until
// each part lies in a row or beside all.
func (c *cover) gap(is, not Facts) (cube, bool) {
	if *c.steps--; *c.steps < 0 {
		c.tangled = true
		return cube{}, false
	}
	row, split := -1, Facts(0)
	for i := range c.n {
		r, concerns := c.rows[i]
		if !concerns || r.is&not != 0 || r.not&is != 0 {
			continue
		}
		open := r.is&^is | r.not&^not
		if open == 0 {
			c.used[i] = true
			return cube{}, false
		}
		if row < 0 || bits.OnesCount32(uint32(open)) < bits.OnesCount32(uint32(split)) {
			row, split = i, open
		}
	}
	if row < 0 {
		return cube{is, not}, true
	}
	fact := split & -split
	if found, gap := c.gap(is|fact, not); gap {
		return found, true
	}
	return c.gap(is, not|fact)
}
