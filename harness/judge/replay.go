package judge

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// replay is the second pass: it walks the records and keeps what each worker
// can know about each intent.
type replay struct {
	table  *contract.Table
	setup  *Setup
	limits contract.Limits
	index  *index

	tasks map[string]*task
	order []*task
	works map[string]*work
	later []pending
	rows  ways

	findings []*Finding
	folded   map[ground]int
	coverage coverage

	waits []waits // of the clients of questions, by the number of attempts before

	wall   time.Time // at instant 0; zero where the history does not tell
	calls  int
	counts map[string]int
	// holders are the first consequences that came about under an identifier.
	holders  map[executed][]*history.Record
	promises promises
	notes    []string // what makes the run a harness error
	ended    *history.Record
	exit     *history.Record // the last exit of a process that was given no work
}

func newReplay(table *contract.Table, setup *Setup, records []history.Record) *replay {
	ix := indexRecords(records, setup.Limits.AttemptTimeout)
	ix.noise.ready(setup.Limits.AttemptTimeout, ix.end.At)
	p := &replay{
		table: table, setup: setup, limits: setup.Limits, index: ix,
		tasks: map[string]*task{}, works: map[string]*work{}, folded: map[ground]int{}, counts: map[string]int{},
		holders: map[executed][]*history.Record{}, promises: newPromises(),
		coverage: newCoverage(),
	}
	if r := records[0].Run; r != nil {
		p.wall = r.Wall
	}
	if len(ix.hollow) > 0 {
		p.note("%d records lack what their kind must carry, the first is number %d", len(ix.hollow), ix.hollow[0])
	}
	return p
}

// take replays one record.
func (p *replay) take(r *history.Record) {
	if !complete(r) {
		return
	}
	p.settle(r.At)
	switch r.Kind {
	case history.WorkGiven:
		p.given(r)
	case history.CallSent:
		p.called(r)
	case history.CallReplied:
		p.speaks(r)
	case history.CallPassing:
		p.answered(r)
	case history.ConnEnded:
		p.dialled(r)
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
	case history.ProcessKilled:
		p.killed(r)
	case history.ProcessExited:
		p.exited(r)
	case history.FaultPlanned, history.FaultArmed, history.FaultFired, history.FaultFailed, history.FaultMissed:
		p.fault(r)
	case history.RunEnded:
		p.ended = r
	}
	p.owes(r)
}

func (p *replay) task(id string) *task {
	t := p.tasks[id]
	if t == nil {
		t = newTask(id)
		p.tasks[id] = t
		p.order = append(p.order, t)
	}
	return t
}

// given takes in that a work item was handed out.
func (p *replay) given(r *history.Record) {
	t := p.task(r.Task)
	w := &work{
		id: r.Work, process: p.index.process(r.Given.Process), task: t, given: r.At, givenN: r.N,
		check: &check{},
	}
	t.onCancel = r.Given.OnCancel
	if r.Given.Type == questionType && t.question == nil {
		t.question = newQuestion(t, r.Given)
	}
	p.works[r.Work] = w
	w.process.works = append(w.process.works, w)
	for i := range r.Given.Confirmed {
		p.confirm(t, &r.Given.Confirmed[i])
		p.superseded(w, r.Given.Confirmed[i].Confirmation, r.Given.Confirmed[i].Version, r.At)
	}
	if r.Facts != nil && r.Facts.Confirmation != "" {
		p.confirm(t, r.Facts)
		p.superseded(w, r.Facts.Confirmation, r.Facts.Version, r.At)
	}
	p.inherit(w)
	t.works = append(t.works, w)
	if w.process.killed { // at this very moment
		p.cutOff(w, r)
	}
}

// confirm makes the submission intent of a confirmed version.
func (p *replay) confirm(t *task, f *history.Facts) {
	if t.submission(f.Confirmation, f.Version) != nil {
		return
	}
	var tenant, object string
	if old := t.newest(); old != nil {
		tenant, object = old.confirm.tenant, old.confirm.object
	}
	i := p.newIntent(submission, t, nil, confirmed(f, tenant, object))
	t.submissions = append(t.submissions, i)
	t.versions[confirmedVersion{f.Confirmation, f.Version}] = i
	t.latest[f.Confirmation] = max(t.latest[f.Confirmation], f.Version)
	if t.contents[f.Content] == nil {
		put(&t.contents, f.Content, i)
	}
}

func (p *replay) newIntent(f form, t *task, of *intent, c *confirmation) *intent {
	return &intent{
		form: f, task: t, of: of, confirm: c, promise: p.setup.Guarantees[f.operation()],
		ids: map[string]*identifier{}, minds: map[*work]*mind{},
	}
}

// dependent finds or makes the intent of a form that depends on a submission;
// what names none depends on the newest.
func (p *replay) dependent(t *task, f form, of *intent) *intent {
	if of == nil {
		of = t.newest()
	}
	if of == nil {
		return nil
	}
	if of.depends[f] == nil {
		of.depends[f] = p.newIntent(f, t, of, of.confirm)
		t.others = append(t.others, of.depends[f])
	}
	return of.depends[f]
}

// killed takes in that the harness killed a process.
func (p *replay) killed(r *history.Record) {
	pr := p.index.process(r.Process.ID)
	if pr.killed {
		return
	}
	pr.killed = true
	if len(pr.works) == 0 && r.Task != "" {
		p.task(r.Task).kills++ // it may have been about to ask for work
	}
	tasks := map[*task]bool{}
	for _, w := range pr.works {
		if !tasks[w.task] {
			tasks[w.task] = true
			w.task.kills++
		}
		p.cutOff(w, r)
	}
}

// cutOff is what a kill does to a work. What its process was about to send for
// the first time it may have recorded just before; the next process can not know
// whether it left. What it had not stored of its reads is gone.
func (p *replay) cutOff(w *work, r *history.Record) {
	p.expectDependents(w, r.At)
	p.mayHaveClaimed(w, r.At)
	for _, i := range w.task.recent() {
		if i.beganN == 0 {
			i.began, i.beganN, i.beganLate = r.At, r.N, r.At
		}
	}
	for op, n := range w.unstored {
		w.reads[op] -= n
	}
}

// expectDependents makes the intents that a worker may have recorded by now,
// since the rows of their submissions list them, and that nothing has been sent of.
func (p *replay) expectDependents(w *work, at time.Duration) {
	for _, i := range w.task.recent() {
		if i.form != submission {
			continue
		}
		for f := submission + 1; f < forms; f++ {
			if i.depends[f] == nil && allows(p.situations(i, w, at), formings[f].action) {
				p.dependent(w.task, f, i)
			}
		}
	}
}

func (p *replay) exited(r *history.Record) {
	pr := p.index.process(r.Process.ID)
	if len(pr.works) == 0 {
		p.exit = r
	}
	if pr.exited == nil {
		pr.exited = r
	}
}
