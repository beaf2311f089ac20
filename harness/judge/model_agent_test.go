package judge_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// disk is what survives a kill.
type disk struct {
	matters []*matter
	reads   map[string]int
	handed  *handed
	result  string
	claimed map[string]bool // states, and what was announced of a version
}

// matter is one intent as it is recorded before its first send.
type matter struct {
	form       string // submission, purchase, notification, withdrawal
	confirmed  history.Facts
	of         *matter // the submission that it depends on
	target     string  // and its reference
	keys       []string
	supersedes string
	attempts   int
	began      time.Duration // of the first send of all; -1 for none
	first      time.Duration // of the first send under the last key; -1 for none
	next       time.Duration // before it nothing is sent again
	ended      time.Duration // when the last attempt did
	late       time.Duration // the first send that can have had an effect
	looks      int           // how often it was asked about
	fences     int
	stored     evidence
}

// evidence is what is known about a matter. A copy of it is on the disk.
type evidence struct {
	standing  contract.Standing
	open      int // sends that can have had an effect
	ref       string
	status    string
	seq       int
	missing   bool
	wait      time.Duration // until then a service has asked to wait
	forbidden bool
	dead      string // the identifier that is known to be dead
}

// handed is an escalation.
type handed struct {
	by       *crew
	key      string
	brief    history.Brief
	about    *matter
	tries    int
	next     time.Duration
	done     bool
	at       time.Duration
	resolved bool
	choice   string
	chosen   time.Duration
	again    bool // a resubmission was recorded
}

// lose is what a kill takes away: whatever was not stored.
func (d *disk) lose() {}

// crew is one work item and the process that has it.
type crew struct {
	w     *world
	id    string
	host  *host
	known history.Facts // the newest version that it was told
	minds map[*matter]*evidence
	reads map[string]int // not stored yet

	cancelled, stopped bool
	auth               *history.Control
	looked             time.Duration // when it was told last how the task stands
	choices            []string
	after, acked       int // inbox items that it has, and has said so
	told               signal
	claimed            string
}

func operationOf(m *matter) string {
	return map[string]string{
		"submission": "approval.submit", "purchase": "purchase.buy", "notification": "approval.notify", "withdrawal": "approval.withdraw",
	}[m.form]
}

func permissionOf(m *matter) string {
	return map[string]string{"submission": "submit", "purchase": "purchase", "notification": "notify", "withdrawal": "withdraw"}[m.form]
}

func (c *crew) promise(m *matter) contract.Promise { return c.w.promises[operationOf(m)] }

// open records the first submission, if nobody has.
func (c *crew) open() {
	c.reads = map[string]int{}
	if c.w.disk.reads == nil {
		c.w.disk.reads = map[string]int{}
	}
	if len(c.w.disk.matters) == 0 {
		c.propose("submission", c.known, nil)
	}
}

// propose records an intent before anything of it is sent.
func (c *crew) propose(form string, confirmed history.Facts, of *matter) *matter {
	d := c.w.disk
	m := &matter{
		form: form, confirmed: confirmed, of: of, began: -1, first: -1,
		keys: []string{fmt.Sprint("k-", len(d.matters)+1)}, stored: evidence{standing: contract.Unsent},
	}
	if of != nil {
		m.target = c.mind(of).ref
	}
	d.matters = append(d.matters, m)
	c.act()
	return m
}

// mind is what this crew knows about a matter.
func (c *crew) mind(m *matter) *evidence {
	des := c.w.design
	if !des.lazy && !des.blind {
		return &m.stored
	}
	e := c.minds[m]
	if e == nil {
		known := m.stored
		if des.blind && len(c.w.crews) > 1 && !c.w.crews[0].host.dead {
			known = evidence{standing: contract.Unsent, open: m.attempts}
			if m.attempts > 0 {
				known.standing = contract.InDoubt
			}
		}
		e = &known
		c.minds[m] = e
	}
	return e
}

// act stores what is known; it goes before every write, claim, escalation and result.
func (c *crew) act() {
	for m, e := range c.minds {
		m.stored = *e
	}
	for op, n := range c.reads {
		c.w.disk.reads[op] += n
		delete(c.reads, op)
	}
}

// learned stores what was just learned, if that is how the agent is built.
func (c *crew) learned() {
	if !c.w.design.lazy {
		c.act()
	}
}

// sub is the submission of the version that is being worked on.
func (c *crew) sub() *matter {
	var sub *matter
	for _, m := range c.w.disk.matters {
		if m.form == "submission" {
			sub = m
		}
	}
	return sub
}

// dep is what depends on a submission, or nil.
func (c *crew) dep(of *matter, form string) *matter {
	for _, m := range c.w.disk.matters {
		if m.of == of && m.form == form {
			return m
		}
	}
	return nil
}

func (c *crew) revised() bool { return c.known.Version > c.sub().confirmed.Version }

// denied tells whether the control plane has said that an intent may not be sent.
func (c *crew) denied(m *matter) bool {
	return c.auth != nil && (!slices.Contains(c.auth.Permissions, permissionOf(m)) || !c.auth.Valid && m.form != "withdrawal")
}

// send makes one attempt of an intent's write. Its record is stored first.
func (c *crew) send(t *thread, m *matter) reply {
	m.attempts++
	for _, other := range c.w.crews {
		if e := other.minds[m]; e != nil {
			e.sent()
		}
	}
	if e := c.mind(m); e == &m.stored {
		e.sent()
	}
	if m.began < 0 {
		m.began = c.w.now
	}
	if m.first < 0 || c.mind(m).open == 1 && c.w.dice.chance(50) {
		m.first = c.w.now
	}
	if c.mind(m).open == 1 {
		m.late = c.w.now
	}
	c.act()
	if c.w.dice.chance(20) {
		t.sleep(c.w.travel()) // a kill may strike here
	}
	r := c.call(t, operationOf(m), c.facts(m))
	c.learnWrite(m, r)
	m.ended = r.end
	n := min(m.attempts, 10)
	step := min(c.w.limits.BackoffBase<<(n-1), c.w.limits.BackoffMax)
	m.next = max(m.next, r.end+c.w.dice.span(step/2, step)+time.Microsecond)
	return r
}

func (e *evidence) sent() {
	e.open++
	if e.standing == contract.Unsent || e.standing == contract.NotExecuted {
		e.standing = contract.InDoubt
	}
}

func (m *matter) key() string { return m.keys[len(m.keys)-1] }

// facts are what the write of an intent states.
func (c *crew) facts(m *matter) history.Facts {
	switch m.form {
	case "submission":
		f := m.confirmed
		f.Key, f.Supersedes = m.key(), m.supersedes
		return f
	case "purchase":
		return history.Facts{Key: m.key(), Approval: m.target, Content: m.confirmed.Content}
	case "withdrawal":
		if c.w.dice.chance(30) {
			return history.Facts{Key: m.key(), Supersedes: m.of.key()}
		}
	}
	return history.Facts{Key: m.key(), Ref: m.target}
}

func (c *crew) call(t *thread, op string, f history.Facts) reply {
	return c.w.gate.call(t, c.id, request{op: op, facts: f, task: "t-1"}, c.w.design.timeout, c.w.design.keep)
}

// check asks for the authorization.
func (c *crew) check(t *thread) {
	t.sleep(c.w.travel())
	w := c.w
	said := history.Control{
		Confirmation: "c-1", Version: w.current().Version, Valid: !w.invalid, Permissions: slices.Clone(w.permissions),
		Cancelled: w.cancelled, Stopped: w.stopped,
	}
	f := w.current()
	w.record(history.Record{Kind: history.ControlConfirmed, Task: "t-1", Work: c.id, Control: &said, Facts: &f})
	t.sleep(w.travel())
	c.auth, c.looked = &said, w.now
	c.cancelled = c.cancelled || said.Cancelled
	c.stopped = c.stopped || said.Stopped
	if said.Version > c.known.Version {
		c.known = version(said.Version)
	}
	for _, e := range c.minds {
		e.forbidden = false
	}
}

// poll asks the inbox, and waits for at most so long.
func (c *crew) poll(t *thread, wait time.Duration) {
	w := c.w
	t.sleep(w.travel())
	if c.after > c.acked {
		c.acked = c.after
		w.record(history.Record{Kind: history.ControlAcked, Task: "t-1", Work: c.id, Control: &history.Control{Item: c.after}})
	}
	if wait > 0 && len(w.items) <= c.after {
		t.await(&w.changed, wait)
	}
	items := slices.Clone(w.items[c.after:])
	c.looked = w.now
	if len(items) == 0 {
		return
	}
	w.record(history.Record{Kind: history.ControlOffered, Task: "t-1", Work: c.id, Control: &history.Control{Item: len(w.items)}})
	t.sleep(w.travel())
	for _, i := range items {
		c.hear(i)
		c.after = i.Control.Item
	}
	c.learned()
	c.told.fire()
}

func (c *crew) hear(i history.Record) {
	switch i.Control.Change {
	case history.Cancel:
		c.cancelled = true
	case history.Stop:
		c.stopped = true
	case history.Revise:
		if i.Facts.Version > c.known.Version {
			c.known = *i.Facts
		}
	case history.Decision:
		if h := c.w.disk.handed; h != nil && h.choice == "" {
			h.choice, h.chosen = i.Control.Choice, c.w.now
		}
	case history.Event:
		for _, m := range c.w.disk.matters {
			c.record(m, i.Facts)
		}
	}
}

// listen is the thread of the inbox.
func (c *crew) listen(t *thread) {
	for c.w.disk.result == "" {
		c.poll(t, c.w.dice.span(5*time.Second, 100*time.Millisecond))
	}
}

// claim says where the submission stands.
func (c *crew) claim(t *thread, state, ref string) {
	c.w.disk.claimed[state] = true
	c.act()
	t.sleep(c.w.travel())
	c.w.record(history.Record{Kind: history.ControlClaim, Task: "t-1", Work: c.id, Control: &history.Control{
		Confirmation: "c-1", Version: c.sub().confirmed.Version, State: state, Ref: ref,
	}})
}

// end posts the result, once.
func (c *crew) end(t *thread, status string) {
	c.act()
	t.sleep(c.w.travel())
	d := c.w.disk
	if d.result != "" {
		return
	}
	d.result = status
	var open []history.Unverified
	for _, m := range d.matters {
		if c.mind(m).standing == contract.InDoubt {
			open = append(open, history.Unverified{Confirmation: "c-1", Unknown: unknownOf(m)})
		}
	}
	c.w.record(history.Record{Kind: history.ControlResult, Task: "t-1", Work: c.id, Control: &history.Control{State: status, Unverified: open}})
	c.w.after(800*time.Millisecond, func() { c.w.finished = true })
}

func unknownOf(m *matter) string {
	if m.form == "submission" {
		return "acceptance"
	}
	return m.form
}
