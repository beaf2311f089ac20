package judge

import (
	"fmt"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// form is what an intent wants.
type form uint8

const (
	submission form = iota
	purchase
	notification
	withdrawal
	forms // how many there are
)

// forming is what the protocol and people call the parts of a form.
type forming struct {
	name       string
	operation  string          // the write that it sends
	permission string          // the right to send it, as the control plane calls it
	action     contract.Action // what the row of its submission must list
	unknown    string          // what an escalation calls it while it is in doubt
}

var formings = [forms]forming{
	submission:   {"submission", "approval.submit", "submit", contract.Submit, "acceptance"},
	purchase:     {"purchase", "purchase.buy", "purchase", contract.Purchase, "purchase"},
	notification: {"notification", "approval.notify", "notify", contract.Notify, "notification"},
	withdrawal:   {"withdrawal", "approval.withdraw", "withdraw", contract.Withdraw, "withdrawal"},
}

func (f form) String() string     { return formings[f].name }
func (f form) operation() string  { return formings[f].operation }
func (f form) permission() string { return formings[f].permission }

// intent is one confirmed version of one action.
type intent struct {
	form    form
	task    *task
	of      *intent        // the submission that it depends on; nil for a submission
	depends [forms]*intent // of a submission: what depends on it
	confirm *confirmation
	revised *change // the revision that replaced a submission's version
	promise contract.Promise

	sends  []*call
	spent  tally // of the sends, how many are known to have had no effect
	ids    map[string]*identifier
	buried bool           // an identifier of it is known to be dead, or may be
	last   *identifier    // the one used last
	fixed  *history.Facts // what the first whole send states
	stray  *call          // a send whose reply claims success and names no record

	// The verification period is counted from began at the earliest and beganLate at the latest: a kill may
	// have struck before the first byte left, and sends may be known to have had no effect.
	began, beganLate time.Duration
	beganN           int           // the record that began it; 0: it has not begun
	asked            int           // reads about it
	waitsUntil       time.Duration // end of the longest wait that a service asked for
	busyUntil        time.Duration // end of the last call about it that left inside the period
	forbidden        bool          // a 403 answered one of its sends

	minds  map[*work]*mind
	wrongs []int // records of unlawful or unconfirmed acts about it

	escalated *history.Record // the first escalation about it
	claimed   map[string]bool // the duties to claim something that were done, or may have been

	created  []*history.Record // ledger rows of its consequence, not foreign
	notified []*history.Record
	storedN  int // record of its first deduplication row
}

// String names the intent for people.
func (i *intent) String() string {
	return fmt.Sprintf("%s of %s version %d", i.form, i.confirm.id, i.confirm.version)
}

// root is the submission that the intent is or depends on.
func (i *intent) root() *intent {
	if i.of != nil {
		return i.of
	}
	return i
}

// sent are the numbers of the records of its first sends.
func (i *intent) sent() []int {
	var ns []int
	for _, c := range i.sends[:min(len(i.sends), maxRecords)] {
		ns = append(ns, c.sent.N)
	}
	return ns
}

// confirmation is one version of what a person confirmed.
type confirmation struct {
	id, tenant, object string
	version            int
	digest, content    string
}

func confirmed(f *history.Facts, tenant, object string) *confirmation {
	c := &confirmation{
		id: f.Confirmation, version: f.Version, digest: f.Digest, content: f.Content, tenant: f.Tenant, object: f.Object,
	}
	if c.tenant == "" {
		c.tenant = tenant
	}
	if c.object == "" {
		c.object = object
	}
	return c
}
