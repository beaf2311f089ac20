package judge

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// coverage is what the run exercised: the planned faults and what became of
// them, and the rows that were met.
type coverage struct {
	faults map[string]*planned
	last   *planned // the fault that fired last
	// redispatched is whether a task was to be handed to a second worker beside the first.
	redispatched bool
	seen         map[Cell]bool
	cells        []Cell
}

// planned is one fault and what became of it.
type planned struct {
	plan   *history.Record
	armed  bool
	fired  int
	calls  map[string]bool // at which it fired
	missed string          // why it did not fire
}

func newCoverage() coverage { return coverage{faults: map[string]*planned{}, seen: map[Cell]bool{}} }

func (p *replay) fault(r *history.Record) {
	f := p.coverage.faults[r.Fault.ID]
	if f == nil {
		f = &planned{plan: r, calls: map[string]bool{}}
		p.coverage.faults[r.Fault.ID] = f
	}
	switch r.Kind {
	case history.FaultArmed:
		f.armed = true
	case history.FaultFired:
		p.receipt(f, r)
		f.fired++
		p.coverage.last = f
		switch effect := r.Fault.Effect; {
		case strings.HasPrefix(effect, "refuse"):
			p.task(r.Task).refused = true
		case strings.Contains(effect, "redispatch"):
			p.coverage.redispatched = true
		}
	case history.FaultMissed:
		f.missed = r.Fault.Reason
	case history.FaultFailed:
		p.note("fault %s (%s) could not be carried out: %s", r.Fault.ID, f.plan.Fault.Anchor, r.Fault.Reason)
	}
}

// inPlan are the faults in the order in which they were planned.
func (c *coverage) inPlan() []*planned {
	all := make([]*planned, 0, len(c.faults))
	for _, f := range c.faults {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b *planned) int { return a.plan.N - b.plan.N })
	return all
}

// cover notes the rows that an intent stands in.
func (p *replay) cover(i *intent, w *work, at time.Duration) {
	for _, s := range p.situations(i, w, at) {
		p.coverage.met(s.row.ID)
	}
}

// met notes a row, with the fault that fired last.
func (c *coverage) met(row string) {
	cell := Cell{Row: row}
	if c.last != nil {
		cell.Effect = c.last.plan.Fault.Effect
		cell.Phase = phaseOf(c.last.plan.Fault.Anchor)
	}
	if !c.seen[cell] {
		c.seen[cell] = true
		c.cells = append(c.cells, cell)
	}
}

// phaseOf is the last word of an anchor: the phase, or the event.
func phaseOf(anchor string) string { return anchor[strings.LastIndexByte(anchor, ' ')+1:] }

// maxNotes bounds the reasons that one history gives.
const maxNotes = 20

// note says what makes the run a harness error.
func (p *replay) note(format string, args ...any) {
	if len(p.notes) < maxNotes {
		p.notes = append(p.notes, fmt.Sprintf(format, args...))
	}
}
