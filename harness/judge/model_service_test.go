package judge_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// desks are the services behind the wire, with their rules and their ledgers.
type desks struct {
	s        *sim
	promises contract.Guarantees
	faults   int // percent of the requests that a service refuses or botches
	lag      time.Duration
	queue    bool
	decides  string // what the approver says
	after    time.Duration
	failing  int  // notifications that fail
	early    bool // people are told of acceptances, and not of decisions
	tell     func(history.Facts)

	records []*approval
	kept    map[string]*kept // by service and identifier
	fenced  map[string]bool
	bought  []history.Facts
	opened  map[string]string // escalations, and what they say
	rivalry int               // percent of first submissions whose identifier another client has used
}

// approval is one record and its states.
type approval struct {
	facts  history.Facts
	states []state
	cause  *request
}

type state struct {
	at                   time.Duration
	status, notification string
}

// kept is a deduplication record.
type kept struct {
	content  string
	ref      string
	refused  bool
	received time.Duration
}

func (d *desks) row(r *request, service, effect string, foreign bool, f history.Facts) {
	d.s.record(history.Record{
		Kind: history.LedgerRow, Task: r.task, Work: r.work, Call: r.call,
		Ledger: &history.Ledger{Service: service, Effect: effect, Foreign: foreign}, Facts: &f,
	})
}

// botched is a service that has a bad moment: before it has done anything, or
// after. It may say that nothing happened only in the former case.
func (d *desks) botched(r *request, do func() *answer) *answer {
	p := d.promises[r.op]
	if !d.s.dice.chance(d.faults) {
		return do()
	}
	switch d.s.dice.pick(8) {
	case 0:
		return &answer{status: 429, wait: d.s.dice.span(0, 600*time.Millisecond)}
	case 1:
		return &answer{status: 503, wait: d.s.dice.span(time.Millisecond, 400*time.Millisecond)}
	case 2:
		return &answer{status: []int{429, 503}[d.s.dice.pick(2)], wait: d.s.dice.span(2*time.Second, 5*time.Second)}
	case 3:
		if len(p.NoEffectStatuses) > 0 {
			return &answer{status: []int{422, 403}[d.s.dice.pick(2)], facts: history.Facts{NoEffect: true, Code: "permission"}}
		}
	case 4:
		return &answer{status: []int{500, 502, 504}[d.s.dice.pick(3)]}
	case 5:
		do()
		return &answer{status: []int{500, 502, 504, 503}[d.s.dice.pick(4)]}
	case 6:
		do()
		return &answer{abort: true}
	}
	return &answer{abort: true}
}

// find is the deduplication record of an identifier, while it is kept.
func (d *desks) find(op, key string) *kept {
	p := d.promises[op].Idempotency
	k := d.kept[op+" "+key]
	if k == nil || !p.Supported || key == "" || d.s.now >= k.received+p.Retention() {
		return nil
	}
	return k
}

func (d *desks) keep(r *request, service string, k *kept) {
	if !d.promises[r.op].Idempotency.Supported || r.facts.Key == "" {
		return
	}
	k.received = d.s.now
	d.kept[r.op+" "+r.facts.Key] = k
	d.row(r, service, history.KeyStored, false, history.Facts{Key: r.facts.Key, Ref: k.ref})
}

var conflict = &answer{status: 409, facts: history.Facts{Code: "identifier_conflict", NoEffect: true}}

func (d *desks) approvals(r *request) *answer {
	slow := func(a *answer) *answer {
		if a != nil {
			a.after = d.s.dice.span(0, 5*time.Millisecond)
		}
		return a
	}
	switch r.op {
	case "approval.submit":
		return slow(d.botched(r, func() *answer { return d.submit(r) }))
	case "approval.withdraw":
		return slow(d.botched(r, func() *answer { return d.withdraw(r) }))
	case "approval.notify":
		return slow(d.botched(r, func() *answer { return d.notify(r) }))
	case "approval.void":
		return slow(d.botched(r, func() *answer { return d.void(r) }))
	case "approval.track":
		if a := d.byRef(r.facts.Ref); a != nil {
			return slow(&answer{status: 200, facts: a.shown(len(a.states) - 1)})
		}
		return slow(&answer{status: 404})
	default:
		return slow(d.query(r))
	}
}

func (d *desks) submit(r *request) *answer {
	content := fmt.Sprint(r.facts.Confirmation, r.facts.Version, r.facts.Content)
	if d.fenced[r.facts.Key] {
		return &answer{status: 409, facts: history.Facts{Code: "void", NoEffect: true}}
	}
	if d.promises[r.op].Idempotency.Supported && d.kept[r.op+" "+r.facts.Key] == nil && d.s.dice.chance(d.rivalry) {
		d.kept[r.op+" "+r.facts.Key] = &kept{content: "another", received: d.s.now}
	}
	if k := d.find(r.op, r.facts.Key); k != nil {
		switch {
		case k.content != content:
			c := *conflict
			return &c
		case k.ref == "":
			return &answer{status: 202, facts: history.Facts{Queue: "q-1"}}
		}
		a := d.byRef(k.ref)
		return &answer{status: 201, facts: a.shown(len(a.states) - 1)}
	}
	if d.queue {
		twin := *r
		d.s.after(d.s.dice.span(5*time.Millisecond, 300*time.Millisecond), func() {
			if !d.fenced[twin.facts.Key] && d.find(twin.op, twin.facts.Key) == nil {
				d.create(&twin, content)
			}
		})
		return &answer{status: 202, facts: history.Facts{Queue: "q-1"}}
	}
	a := d.create(r, content)
	return &answer{status: 201, facts: a.shown(len(a.states) - 1)}
}

func (d *desks) create(r *request, content string) *approval {
	a := &approval{facts: r.facts, cause: r, states: []state{{d.s.now, "pending", "none"}}}
	a.facts.Ref, a.facts.Supersedes = fmt.Sprint("a-", len(d.records)+1), ""
	d.records = append(d.records, a)
	d.row(r, "approval", history.ApprovalCreated, false, a.shown(0))
	if d.early {
		a.states = append(a.states, state{d.s.now, "pending", d.notice()})
		d.noticed(a, r)
	}
	d.keep(r, "approval", &kept{content: content, ref: a.facts.Ref})
	d.s.after(d.after, func() { d.decide(a) })
	return a
}

func (d *desks) decide(a *approval) {
	if a.now().status != "pending" {
		return
	}
	told := a.now().notification
	if !d.early {
		told = d.notice()
	}
	a.states = append(a.states, state{d.s.now, d.decides, told})
	d.row(a.cause, "approval", history.ApprovalStatus, false, a.shown(len(a.states)-1))
	if !d.early {
		d.noticed(a, a.cause)
	}
	d.announce(a)
}

// announce tells of the newest state, late, twice or never.
func (d *desks) announce(a *approval) {
	f := a.shown(len(a.states) - 1)
	times := []int{1, 1, 1, 2, 0}[d.s.dice.pick(5)]
	if q := d.promises["approval.submit"].Query; !q.ByRef && !q.ByKey {
		times = max(1, times) // nothing else would ever tell
	}
	for range times {
		d.s.after(d.s.dice.span(0, 200*time.Millisecond), func() { d.tell(f) })
	}
}

func (d *desks) notice() string {
	if d.failing > 0 {
		d.failing--
		return "failed"
	}
	return "sent"
}

func (d *desks) noticed(a *approval, r *request) {
	effect := history.NotificationSent
	if a.now().notification == "failed" {
		effect = history.NotificationLost
	}
	d.row(r, "approval", effect, false, a.shown(len(a.states)-1))
}

func (d *desks) withdraw(r *request) *answer {
	a := d.byRef(r.facts.Ref)
	if a == nil {
		a = d.byKey(r.facts.Supersedes)
	}
	switch {
	case a == nil:
		return &answer{status: 404}
	case a.now().status == "withdrawn":
	case !d.promises["approval.submit"].Withdrawable(a.now().status):
		return &answer{status: 409, facts: history.Facts{Code: "state", NoEffect: true}}
	default:
		a.states = append(a.states, state{d.s.now, "withdrawn", a.now().notification})
		f := a.shown(len(a.states) - 1)
		d.row(r, "approval", history.ApprovalStatus, false, f)
		f.Key = r.facts.Key
		d.row(r, "approval", history.WithdrawalDone, false, f)
		d.keep(r, "approval", &kept{ref: a.facts.Ref})
		d.announce(a)
	}
	return &answer{status: 200, facts: a.shown(len(a.states) - 1)}
}

func (d *desks) notify(r *request) *answer {
	a := d.byRef(r.facts.Ref)
	if a == nil {
		return &answer{status: 404}
	}
	if d.find(r.op, r.facts.Key) == nil {
		a.states = append(a.states, state{d.s.now, a.now().status, d.notice()})
		d.noticed(a, r)
		if a.now().notification == "sent" {
			d.keep(r, "approval", &kept{ref: a.facts.Ref})
		}
	}
	return &answer{status: 200, facts: a.shown(len(a.states) - 1)}
}

func (d *desks) void(r *request) *answer {
	if a := d.byKey(r.facts.Key); a != nil {
		return &answer{status: 200, facts: history.Facts{Status: "created", Ref: a.facts.Ref}}
	}
	if !d.fenced[r.facts.Key] {
		d.fenced[r.facts.Key] = true
		d.row(r, "approval", history.KeyFenced, false, history.Facts{Key: r.facts.Key})
	}
	return &answer{status: 200, facts: history.Facts{Status: "void", Final: true}}
}

// query looks an identifier up: its records, or the state of its submission.
func (d *desks) query(r *request) *answer {
	at := d.s.now - d.lag
	var found history.Facts
	for _, a := range d.records {
		if n := a.seen(at); a.facts.Key == r.facts.Key && n >= 0 {
			found = a.shown(n)
		}
	}
	if !d.s.dice.chance(40) {
		f := history.Facts{Listed: true, Replica: d.lag > 0}
		if found.Ref != "" {
			f.Items = []history.Item{found}
		}
		if d.s.dice.chance(5) { // somebody else's
			f.Items = append(f.Items, history.Facts{Ref: "a-99", Key: "other", Confirmation: "c-9", Version: 1, Status: "approved"})
		}
		return &answer{status: 200, facts: f}
	}
	switch {
	case d.fenced[r.facts.Key] && d.lag == 0:
		return &answer{status: 200, facts: history.Facts{Status: "void", Final: true}}
	case found.Ref != "":
		return &answer{status: 200, facts: history.Facts{Status: "created", Ref: found.Ref}}
	}
	return &answer{status: 200, facts: history.Facts{Status: "unknown"}}
}

func (d *desks) purchases(r *request) *answer {
	if r.op == "purchase.query" {
		f := history.Facts{Listed: true}
		for _, b := range d.bought {
			if b.Key == r.facts.Key {
				f.Items = append(f.Items, b)
			}
		}
		return &answer{status: 200, facts: f}
	}
	return d.botched(r, func() *answer {
		content := r.facts.Approval + r.facts.Content
		if k := d.find(r.op, r.facts.Key); k != nil {
			if k.content != content {
				c := *conflict
				return &c
			}
			n := slices.IndexFunc(d.bought, func(b history.Facts) bool { return b.Ref == k.ref })
			return &answer{status: 201, facts: d.bought[n]}
		}
		f := r.facts
		f.Ref, f.Status = fmt.Sprint("p-", len(d.bought)+1), "done"
		d.bought = append(d.bought, f)
		d.row(r, "purchase", history.PurchaseDone, false, f)
		d.keep(r, "purchase", &kept{content: content, ref: f.Ref})
		return &answer{status: 201, facts: f}
	})
}

func (d *desks) escalations(r *request) *answer {
	return d.botched(r, func() *answer {
		says := fmt.Sprintf("%+v", r.facts.Escalation)
		switch old, known := d.opened[r.facts.Key]; {
		case !known:
			d.row(r, "desk", history.Escalated, false, history.Facts{Ref: "e-1", Key: r.facts.Key})
		case old != says:
			d.row(r, "desk", history.EscalationChange, false, history.Facts{Ref: "e-1", Key: r.facts.Key})
		}
		d.opened[r.facts.Key] = says
		return &answer{status: 201, facts: history.Facts{Ref: "e-1"}}
	})
}

func (d *desks) byRef(ref string) *approval {
	for _, a := range d.records {
		if a.facts.Ref == ref {
			return a
		}
	}
	return nil
}

func (d *desks) byKey(key string) *approval {
	for _, a := range d.records {
		if a.facts.Key == key && key != "" {
			return a
		}
	}
	return nil
}

func (a *approval) now() state { return a.states[len(a.states)-1] }

// seen is the number of the state that held at an instant, -1 for none.
func (a *approval) seen(at time.Duration) int {
	n := len(a.states) - 1
	for n >= 0 && a.states[n].at > at {
		n--
	}
	return n
}

// shown is what a message says of the record in one of its states.
func (a *approval) shown(n int) history.Facts {
	f := a.facts
	f.Status, f.Notification, f.Seq = a.states[n].status, a.states[n].notification, n+1
	return f
}
