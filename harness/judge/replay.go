package judge

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// replay is the second pass: it walks the records and keeps what each worker
// can know about each intent.
type replay struct {
	table    *contract.Table
	setup    *Setup
	limits   contract.Limits
	noise    time.Duration
	reaction time.Duration
	index    *index

	tasks    map[string]*task
	order    []*task
	works    map[string]*work
	process  map[string][]*work
	later    []pending
	missing  map[*intent]bool // notification known to be missing
	findings []Finding
	folded   map[[4]string]int // where a finding of this rule, task, intent and party stands

	calls  int
	faults map[string]*planned
	last   *planned // the fault that fired last
	cells  map[Cell]bool
	covers []Cell
	counts map[string]int
	notes  []string // what makes the run a harness error
	ended  *history.Record
	exit   *history.Record // the last exit of a process that was given no work
}

// planned is one fault and what became of it.
type planned struct {
	plan   *history.Record
	fired  int
	missed string // why it did not fire
}

func newReplay(table *contract.Table, setup *Setup, records []history.Record) *replay {
	ix := indexRecords(records)
	return &replay{
		table: table, setup: setup, limits: setup.Limits, noise: ix.noise,
		reaction: setup.Limits.Reaction(ix.noise), index: ix,
		tasks: map[string]*task{}, works: map[string]*work{}, process: map[string][]*work{},
		missing: map[*intent]bool{}, folded: map[[4]string]int{}, faults: map[string]*planned{}, cells: map[Cell]bool{}, counts: map[string]int{},
	}
}

// take replays one record.
func (p *replay) take(r *history.Record) {
	p.settle(r.At)
	switch r.Kind {
	case history.WorkGiven:
		p.given(r)
	case history.CallSent:
		p.called(r)
	case history.CallPassing:
		p.answered(r)
	case history.ConnEnded:
		p.hungUp(r)
	case history.LedgerRow:
		p.ledger(r)
	case history.ControlConfirmed:
		p.confirmed(r)
	case history.ControlPlaced:
		p.placed(r)
	case history.ControlOffered:
		p.offered(r)
	case history.ControlAcked:
		p.acked(r)
	case history.ControlClaim, history.ControlResult:
		p.stated(r)
	case history.ProcessKilled, history.ProcessPaused, history.ProcessResumed, history.ProcessExited:
		p.lived(r)
	case history.FaultPlanned, history.FaultFired, history.FaultMissed, history.FaultFailed:
		p.fault(r)
	case history.RunEnded:
		p.ended = r
	}
}

func (p *replay) task(id string) *task {
	t := p.tasks[id]
	if t == nil {
		t = &task{
			id: id, keys: map[string]*intent{}, refs: map[string]*intent{}, changes: map[string]*change{},
			escalated: map[string]int{}, searched: map[string]bool{}, told: map[string]bool{}, asked: map[string]int{},
		}
		p.tasks[id] = t
		p.order = append(p.order, t)
	}
	return t
}

func (p *replay) given(r *history.Record) {
	t := p.task(r.Task)
	w := &work{
		id: r.Work, process: r.Given.Process, task: t, given: r.At,
		open: map[string]*call{}, seen: map[string]time.Duration{}, offered: map[string]time.Duration{},
	}
	t.onCancel = r.Given.OnCancel
	p.works[r.Work] = w
	p.process[w.process] = append(p.process[w.process], w)
	for i := range r.Given.Confirmed {
		p.confirm(t, &r.Given.Confirmed[i], r.At)
	}
	if r.Facts != nil && r.Facts.Confirmation != "" {
		p.confirm(t, r.Facts, r.At)
	}
	t.works = append(t.works, w)
	p.inherit(w)
}

// confirm makes the submission intent of a confirmed version.
func (p *replay) confirm(t *task, f *history.Facts, at time.Duration) {
	if t.submission(f.Confirmation, f.Version) != nil {
		return
	}
	var tenant, object string
	if old := t.newest(); old != nil {
		tenant, object = old.confirm.tenant, old.confirm.object
	}
	t.submissions = append(t.submissions, p.newIntent(submission, t, nil, confirmed(f, tenant, object, at)))
}

func (p *replay) newIntent(f form, t *task, of *intent, c *confirmation) *intent {
	return &intent{form: f, task: t, of: of, confirm: c, promise: p.setup.Guarantees[f.operation()], known: map[string]*mind{}}
}

func (p *replay) lived(r *history.Record) {
	if r.Kind == history.ProcessExited && len(p.process[r.Process.ID]) == 0 {
		p.exit = r
	}
	for _, w := range p.process[r.Process.ID] {
		switch r.Kind {
		case history.ProcessKilled:
			w.killed = true
			w.task.kills++
			for _, i := range w.task.intents() {
				if i.beganN == 0 { // its record may have been written just before
					i.began, i.beganN, i.beganLate = r.At, r.N, r.At
				}
			}
		case history.ProcessPaused:
			w.pausedAt = r.At
		case history.ProcessResumed:
			w.frozen += r.At - w.pausedAt
		default:
			w.exited = r
		}
	}
}

func (p *replay) fault(r *history.Record) {
	f := p.faults[r.Fault.ID]
	if f == nil {
		f = &planned{plan: r}
		p.faults[r.Fault.ID] = f
	}
	switch r.Kind {
	case history.FaultFired:
		f.fired++
		p.last = f
	case history.FaultMissed:
		f.missed = r.Fault.Reason
	case history.FaultFailed:
		p.notes = append(p.notes, "fault "+r.Fault.ID+" ("+f.plan.Fault.Anchor+") could not be carried out: "+r.Fault.Reason)
	}
}

// rowName is the row of an intent for a worker, for people: the one that the
// least favourable reading leads to.
func (p *replay) rowName(i *intent, w *work, at time.Duration) string {
	all := p.situations(i, w, at)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1].row.ID
}

// cover notes the rows that an intent stands in.
func (p *replay) cover(i *intent, w *work) {
	at := w.given
	if p.index.end != nil && i.beganN != 0 {
		at = i.began
	}
	for _, s := range p.situations(i, w, at) {
		p.cell(s.row.ID)
	}
}

func (p *replay) cell(row string) {
	c := Cell{Row: row}
	if p.last != nil {
		c.Effect = p.last.plan.Fault.Effect
		c.Phase = phaseOf(p.last.plan.Fault.Anchor)
	}
	if !p.cells[c] {
		p.cells[c] = true
		p.covers = append(p.covers, c)
	}
}

// phaseOf is the last word of an anchor: the phase, or the event.
func phaseOf(anchor string) string {
	for i := len(anchor) - 1; i >= 0; i-- {
		if anchor[i] == ' ' {
			return anchor[i+1:]
		}
	}
	return anchor
}
