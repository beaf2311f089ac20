package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports/page"
	"github.com/lostreceipt/lostreceipt/reports/timeline"
)

// tags name what scenarios have in common, so that a page can show those alone.
type tags struct {
	names map[string]string // what it is, to a short name
}

func newTags() *tags { return &tags{names: map[string]string{}} }

// tag is the short name of a thing.
func (t *tags) tag(what ...string) string {
	key := strings.Join(what, "\x00")
	if t.names[key] == "" {
		t.names[key] = fmt.Sprintf("t%d", len(t.names)+1)
	}
	return t.names[key]
}

// of are the tags of a scenario.
func (t *tags) of(s Scenario) []string {
	list := []string{t.tag("outcome", string(s.Verdict.Outcome))}
	for _, c := range s.Verdict.Cells {
		p := pointOf(c)
		list = append(list, t.tag("row", c.Row), t.tag("cell", c.Row, p.phase, p.family))
	}
	for _, f := range s.Verdict.Findings {
		if Accuses(f) {
			list = append(list, t.tag("rule", f.Rule), t.tag("row", f.Row))
		}
	}
	return unique(list)
}

// point is a column of the map.
type point struct{ phase, family string }

// The columns that are no phase of a call.
const (
	noFault = "no fault before"
	anEvent = "an event"
)

func pointOf(c judge.Cell) point {
	switch {
	case c.Effect == "":
		return point{phase: noFault}
	case slices.Contains(fault.Phases(), fault.Phase(c.Phase)):
		return point{c.Phase, string(timeline.Strikes(c.Effect))}
	}
	return point{anEvent, string(timeline.Strikes(c.Effect))}
}

// order of the columns: as a call goes, then what is no call.
func (p point) order() int {
	phase := slices.Index(fault.Phases(), fault.Phase(p.phase))
	switch p.phase {
	case noFault:
		phase = -1
	case anEvent:
		phase = len(fault.Phases())
	}
	return 10*phase + slices.Index(fault.Families(), fault.Family(p.family))
}

// met is what happened at one point of the map, or in one row.
type met struct {
	n, held, broken int
}

func (m *met) add(o judge.Outcome) {
	m.n++
	switch o {
	case judge.Pass:
		m.held++
	case judge.Violation:
		m.broken++
	}
}

func (m *met) outcome() string {
	switch {
	case m.broken > 0:
		return "bad"
	case m.held > 0:
		return "good"
	default:
		return "doubt"
	}
}

// coverage is the map of row, phase and fault family.
func (r *Report) coverage(t *tags) page.Coverage {
	type key struct {
		row string
		point
	}
	cells := map[key]*met{}
	var points []point
	rows := r.rowIDs()
	for _, s := range r.Scenarios {
		seen := map[key]bool{}
		for _, c := range s.Verdict.Cells {
			k := key{c.Row, pointOf(c)}
			if seen[k] {
				continue
			}
			seen[k] = true
			if cells[k] == nil {
				cells[k] = &met{}
			}
			cells[k].add(inRow(s, c.Row))
			if !slices.Contains(points, k.point) {
				points = append(points, k.point)
			}
		}
	}
	slices.SortFunc(points, func(a, b point) int { return a.order() - b.order() })
	var v page.Coverage
	for _, p := range points {
		if n := len(v.Groups); n == 0 || v.Groups[n-1].Phase != p.phase {
			v.Groups = append(v.Groups, page.Group{Phase: p.phase})
		}
		g := &v.Groups[len(v.Groups)-1]
		g.Families = append(g.Families, p.family)
	}
	for _, row := range rows {
		line := page.Line{Row: plain(row, maxName)}
		for _, p := range points {
			cell := page.Cell{}
			if m := cells[key{row, p}]; m != nil {
				where := strings.TrimSpace(p.phase + " " + p.family)
				cell = page.Cell{N: m.n, Outcome: m.outcome(), Tag: t.tag("cell", row, p.phase, p.family), Words: line.Row + ", " + where}
			}
			line.Cells = append(line.Cells, cell)
		}
		v.Lines = append(v.Lines, line)
	}
	return v
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// rowIDs are the rows of the contract, then what else scenarios met.
func (r *Report) rowIDs() []string {
	var ids, others []string
	for _, row := range r.Contract.Rows {
		ids = append(ids, row.ID)
	}
	for _, s := range r.Scenarios {
		for _, c := range s.Verdict.Cells {
			if !slices.Contains(ids, c.Row) && !slices.Contains(others, c.Row) {
				others = append(others, c.Row)
			}
		}
	}
	slices.Sort(others)
	return append(ids, bounded(others, 200)...)
}

// rowsOf are the rows that a scenario met or broke.
func rowsOf(s Scenario) []string {
	var rows []string
	for _, c := range s.Verdict.Cells {
		rows = append(rows, c.Row)
	}
	for _, f := range s.Verdict.Findings {
		if Accuses(f) && f.Row != "" {
			rows = append(rows, f.Row)
		}
	}
	return unique(rows)
}

// inRow is what a scenario shows about one row: one that violates the contract
// in another row shows nothing about this.
func inRow(s Scenario, row string) judge.Outcome {
	if s.Verdict.Outcome != judge.Violation {
		return s.Verdict.Outcome
	}
	for _, f := range s.Verdict.Findings {
		if Accuses(f) && f.Row == row {
			return judge.Violation
		}
	}
	return judge.Undetermined
}

// rows are the contract table with what became of each row.
func (r *Report) rows(t *tags) []page.Row {
	results := map[string]*met{}
	at := func(row string) *met {
		if results[row] == nil {
			results[row] = &met{}
		}
		return results[row]
	}
	for _, s := range r.Scenarios {
		for _, row := range rowsOf(s) {
			at(row).add(inRow(s, row))
		}
	}
	var list []page.Row
	for _, id := range r.rowIDs() {
		row := page.Row{ID: plain(id, maxName), Words: "not met", Tag: t.tag("row", id)}
		if i := slices.IndexFunc(r.Contract.Rows, func(c Row) bool { return c.ID == id }); i >= 0 {
			c := r.Contract.Rows[i]
			row.Known, row.Summary, row.Allow, row.Must = true, plain(c.Summary, maxSentence), plains(c.Allow), plains(c.Must)
		}
		if m := results[id]; m != nil {
			row.Outcome = m.outcome()
			switch {
			case m.broken > 0:
				row.Words = fmt.Sprintf("broken in %d of %d", m.broken, m.n)
			case m.held > 0:
				row.Words = fmt.Sprintf("held in %d", m.held)
			default:
				row.Words = fmt.Sprintf("met in %d, none passed", m.n)
			}
		}
		list = append(list, row)
	}
	return list
}

// wrong groups what keeps the run from being a pass: by rule, then by outcome.
func (r *Report) wrong(t *tags) []page.Wrong {
	var list []page.Wrong
	index := map[string]int{}
	for _, s := range r.Scenarios {
		seen := map[string]bool{}
		for _, f := range s.Verdict.Findings {
			if s.Verdict.Outcome != judge.Violation || !Accuses(f) || seen[f.Rule] {
				continue
			}
			seen[f.Rule] = true
			i, ok := index[f.Rule]
			if !ok {
				i = len(list)
				index[f.Rule] = i
				list = append(list, page.Wrong{Outcome: "bad", Rule: plain(f.Rule, maxName), Correct: prefixed("Correct: ", plain(f.Correct, maxSentence)), Tag: t.tag("rule", f.Rule)})
			}
			list[i].N++
		}
	}
	slices.SortStableFunc(list, func(a, b page.Wrong) int { return b.N - a.N })
	list = bounded(list, 60)
	for _, o := range []struct {
		outcome judge.Outcome
		n       int
		words   string
	}{
		{judge.HarnessError, r.Totals.HarnessError, "The harness or the scenario failed: nothing can be said about the agent there."},
		{judge.Vacuous, r.Totals.Vacuous, "A planned fault did not fire, or the agent was never called: nothing was shown there."},
		{judge.Undetermined, r.Totals.Undetermined, "The evidence or the machine's noise allows no verdict there."},
	} {
		if o.n > 0 {
			list = append(list, page.Wrong{Outcome: string(o.outcome), Rule: string(o.outcome), Correct: o.words, Tag: t.tag("outcome", string(o.outcome)), N: o.n})
		}
	}
	return list
}
