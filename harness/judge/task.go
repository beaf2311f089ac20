package judge

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// task is one task and all that was done about it.
type task struct {
	id       string
	onCancel string
	question *question // nil for another type of task

	submissions []*intent // in the order in which they were confirmed
	others      []*intent // what depends on them
	versions    map[confirmedVersion]*intent
	latest      map[string]int     // the highest version of each confirmation
	contents    map[string]*intent // the first submission with a content
	keys        map[string]*intent // first use of each identifier
	fenced      map[string]*call   // fences of identifiers that were never used
	refs        map[string]*intent // own records

	works  []*work
	active []*work // those whose knowledge no later work has taken over

	changes   map[string]*change // by kind, the first
	items     []*history.Record  // of the inbox
	choices   map[string]int     // of the decisions that were offered
	decisions map[int]bool       // those decisions, by record
	told      map[string]bool    // refs that a reply or an event other than a search's may have told
	found     map[string]bool    // refs that a search may have told
	sources   map[string]int     // how many replies and events may have told a ref

	escalated   map[string]*history.Record // the first escalation, by confirmation
	briefs      map[string]brief           // the last one, by identifier
	handed      map[string]string          // the confirmation that an escalation is about, by the desk's name for it
	closed      map[string]bool            // confirmations of which a person may be known to have closed the matter; "": all
	results     []*history.Record
	kills       int
	resubmitted int
	refused     bool           // connections were refused as a fault
	dialled     int            // connections that ended without a request
	reads       map[string]int // by operation
}

type confirmedVersion struct {
	id      string
	version int
}

func newTask(id string) *task {
	return &task{
		id: id, versions: map[confirmedVersion]*intent{}, latest: map[string]int{}, keys: map[string]*intent{},
	}
}

// put adds to a map that is made when it is needed: most of what a task or a work
// may have, most of them have not.
func put[K comparable, V any](into *map[K]V, key K, value V) {
	if *into == nil {
		*into = map[K]V{}
	}
	(*into)[key] = value
}

// change is something that was changed about a task while it ran: a cancel, a
// revision, a stop, a decision.
type change struct {
	placed  *history.Record
	version int // of a revision
}

// intents are all intents of the task, submissions first.
func (t *task) intents() []*intent {
	return append(append(make([]*intent, 0, len(t.submissions)+len(t.others)), t.submissions...), t.others...)
}

// recentIntents bounds what one act or one statement is compared with.
const recentIntents = 256

// recent are the newest intents of the task, submissions first.
func (t *task) recent() []*intent {
	subs := t.submissions[max(0, len(t.submissions)-recentIntents):]
	others := t.others[max(0, len(t.others)-recentIntents):]
	return append(append(make([]*intent, 0, len(subs)+len(others)), subs...), others...)
}

// submission finds the submission of a confirmed version, or nil.
func (t *task) submission(id string, version int) *intent {
	return t.versions[confirmedVersion{id, version}]
}

// newest is the submission that was confirmed last, or nil.
func (t *task) newest() *intent {
	if n := len(t.submissions); n > 0 {
		return t.submissions[n-1]
	}
	return nil
}

// current are the submissions of the newest version of each confirmation that
// anything was sent of: what a result speaks about.
func (t *task) current() []*intent {
	var out []*intent
	at := map[string]int{}
	for _, i := range t.submissions[max(0, len(t.submissions)-recentIntents):] {
		n, known := at[i.confirm.id]
		switch {
		case !known:
			at[i.confirm.id] = len(out)
			out = append(out, i)
		case len(i.sends) > 0 || len(out[n].sends) == 0:
			out[n] = i
		}
	}
	return out
}

// lastWork is the work that the task was handed out as last, or nil.
func (t *task) lastWork() *work {
	if n := len(t.works); n > 0 {
		return t.works[n-1]
	}
	return nil
}

// work is one work item, and so one process's part in a task.
type work struct {
	id      string
	process *process
	task    *task
	given   time.Duration
	givenN  int

	open      int                      // service calls that it may still wait for
	seen      map[string]time.Duration // changes of the task: from when they bind
	checks    map[string]*check        // answers about confirmations, by id
	check     *check                   // about any of them
	waiting   map[string][]*call       // replies not known to be delivered, by a reference that they name
	told      int                      // inbox items offered, as a count
	acked     int                      // and acknowledged
	epoch     int                      // its writes, claims, escalations and results: before each it must have stored what it knew
	storedN   int                      // record of the last of them
	escalated map[string]bool          // confirmations that it has handed over
	reads     map[string]int           // by operation
	unstored  map[string]int           // of them, those since the last epoch
	debts     []debt                   // the claims that it owes
	watched   time.Duration            // when they were looked at last
	waited    bool                     // it may have waited for a service then
}

// check is what a worker was told about a confirmation last, and before that.
type check struct{ last, before *history.Record }

func (c *check) take(r *history.Record) { c.last, c.before = r, c.last }

// beside is how many other workers have the same task at this moment.
func (w *work) beside() int {
	n := 0
	for _, other := range w.task.active {
		if other != w && !other.ended() {
			n++
		}
	}
	return n
}

// ended tells whether its process is gone.
func (w *work) ended() bool { return w.process.ended() }
