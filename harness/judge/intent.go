package judge

import (
	"fmt"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// form is what an intent wants.
type form string

const (
	submission   form = "submission"
	purchase     form = "purchase"
	notification form = "notification"
	withdrawal   form = "withdrawal"
)

// operation is the write that an intent of this form sends.
func (f form) operation() string {
	switch f {
	case purchase:
		return "purchase.buy"
	case notification:
		return "approval.notify"
	case withdrawal:
		return "approval.withdraw"
	default:
		return "approval.submit"
	}
}

// permission is what the control plane calls the right to send it.
func (f form) permission() string {
	switch f {
	case purchase:
		return "purchase"
	case notification:
		return "notify"
	case withdrawal:
		return "withdraw"
	default:
		return "submit"
	}
}

// intent is one confirmed version of one action.
type intent struct {
	form    form
	task    *task
	of      *intent // the submission that it depends on; nil for a submission
	confirm *confirmation
	promise contract.Promise

	sends   []*call
	keys    []string
	content string        // of the first send
	fenced  bool          // the identifier used last was fenced or refused for good
	ref     string        // of its own record, as its service's ledger has it
	began   time.Duration // earliest instant from which its verification period can be counted
	beganN  int           // record that began it; 0: it has not begun
	// beganLate is the latest such instant: a kill may have struck before the first byte left.
	beganLate time.Duration
	asks      []*call // reads about it

	known  map[string]*mind // by work
	wrongs []int            // records of unlawful or unconfirmed acts about it

	created  []*history.Record // ledger rows of its consequence, not foreign
	notified []*history.Record
	storedN  int // record of its first deduplication row
}

// String names the intent for people.
func (i *intent) String() string {
	return fmt.Sprintf("%s of %s version %d", i.form, i.confirm.id, i.confirm.version)
}

// confirmation is one version of what a person confirmed.
type confirmation struct {
	id, tenant, object string
	version            int
	digest, content    string
	placed             time.Duration
}

func confirmed(f *history.Facts, tenant, object string, at time.Duration) *confirmation {
	c := &confirmation{
		id: f.Confirmation, version: f.Version, digest: f.Digest, content: f.Content,
		tenant: f.Tenant, object: f.Object, placed: at,
	}
	if c.tenant == "" {
		c.tenant = tenant
	}
	if c.object == "" {
		c.object = object
	}
	return c
}

// task is one task and all that was done about it.
type task struct {
	id          string
	onCancel    string
	submissions []*intent // in the order of their versions
	others      []*intent
	keys        map[string]*intent // first use of each identifier
	refs        map[string]*intent // own records
	works       []*work
	changes     map[string]*change
	revisions   []*change
	choice      string // of the decision delivered last
	escalations []*call
	escalated   map[string]int // by key
	results     []*history.Record
	kills       int
	searched    map[string]bool // refs that only a search has told
	told        map[string]bool // refs that a reply or an event other than a search's has told
	resubmitted int
	asked       map[string]int    // reads, by the operation's short name
	items       []*history.Record // inbox items, by number
}

// intents are all intents of the task, submissions first.
func (t *task) intents() []*intent {
	return append(append(make([]*intent, 0, len(t.submissions)+len(t.others)), t.submissions...), t.others...)
}

// submission finds the submission of a confirmed version.
func (t *task) submission(id string, version int) *intent {
	for _, i := range t.submissions {
		if i.confirm.id == id && i.confirm.version == version {
			return i
		}
	}
	return nil
}

// newest is the submission of the newest version, or nil.
func (t *task) newest() *intent {
	if n := len(t.submissions); n > 0 {
		return t.submissions[n-1]
	}
	return nil
}

// dependent finds the intent of a form that depends on a submission.
func (t *task) dependent(f form, of *intent) *intent {
	for _, i := range t.others {
		if i.form == f && i.of == of {
			return i
		}
	}
	return nil
}

// change is something that was changed about a task while it ran: a cancel, a
// revision, a stop, a decision.
type change struct {
	kind    string
	placed  *history.Record
	version int
	choice  string
}

// work is one work item, and so one process's part in a task.
type work struct {
	id, process string
	task        *task
	given       time.Duration
	killed      bool
	exited      *history.Record
	open        map[string]*call // service calls without an end
	seen        map[string]time.Duration
	offered     map[string]time.Duration
	checked     *history.Record // last confirmation reply
	checkedWas  *history.Record // the one before it
	checks      []*history.Record
	frozen      time.Duration // time for which the harness paused it
	pausedAt    time.Duration
	waiting     []*call // replies not known to be delivered
	told        int     // inbox items offered, by number
	acked       int
}
