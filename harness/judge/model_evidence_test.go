package judge_test

import (
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// learnWrite takes in what the reply to a write settles.
func (c *crew) learnWrite(m *matter, r reply) {
	defer c.learned()
	e := c.mind(m)
	if r.failed {
		return
	}
	settled := func(to contract.Standing) {
		e.open--
		if e.open <= 0 && e.standing == contract.InDoubt {
			e.open, e.standing = 0, to
		}
	}
	switch {
	case r.status < 300 && m.form == "submission":
		c.record(m, &r.facts)
	case r.status < 300 && m.form == "purchase":
		if f := r.facts; f.Ref != "" && slices.Contains(m.keys, f.Key) && f.Content == m.confirmed.Content && f.Approval == m.target {
			e.standing, e.ref = contract.Accepted, f.Ref
		}
	case r.status < 300:
		c.record(m.of, &r.facts)
		if m.form == "notification" && r.facts.Notification == "failed" {
			settled(contract.Unsent)
		}
	case r.status == 409 && r.facts.Code == "identifier_conflict":
		if e.standing == contract.InDoubt {
			e.standing = contract.Conflict
		}
	case r.status == 429, r.status == 503 && r.wait > 0:
		e.wait = r.end + r.wait
		if e.dead != "" {
			settled(contract.NotExecuted)
		} else {
			settled(contract.Unsent)
		}
	case r.status >= 400 && r.status < 500 && c.promise(m).NoEffect(r.status):
		c.w.hinted = c.w.hinted || r.facts.Code == "void"
		e.forbidden = e.forbidden || r.status == 403
		settled(contract.Refused)
	}
}

// record takes a record in that may be a submission's own: it must carry one of
// its identifiers and match in object, version and digest; a late old one
// changes nothing. What depends on it may show in it.
func (c *crew) record(m *matter, f *history.Facts) {
	own := m.confirmed
	if m.form != "submission" || f.Ref == "" || !slices.Contains(m.keys, f.Key) ||
		f.Confirmation != own.Confirmation || f.Version != own.Version || f.Digest != own.Digest || f.Object != own.Object {
		return
	}
	e := c.mind(m)
	if f.Seq < e.seq {
		return
	}
	e.ref, e.status, e.seq, e.missing = f.Ref, f.Status, f.Seq, f.Notification == "failed"
	e.standing = map[string]contract.Standing{
		"pending": contract.Accepted, "approved": contract.Approved, "declined": contract.Declined, "withdrawn": contract.Withdrawn,
	}[f.Status]
	about := func(form string) *matter { // what depends on this very record
		if dep := c.dep(m, form); dep != nil && dep.target == f.Ref {
			return dep
		}
		return nil
	}
	if dep := about("withdrawal"); dep != nil && f.Status == "withdrawn" && dep.attempts > 0 {
		c.mind(dep).standing = contract.Accepted
	}
	if dep := about("withdrawal"); dep != nil && f.Status != "withdrawn" && !c.promise(m).Withdrawable(f.Status) {
		c.mind(dep).standing = contract.Refused // it came too late
	}
	if dep := about("notification"); dep != nil && f.Notification == "sent" && dep.attempts > 0 {
		c.mind(dep).standing = contract.Accepted
	}
}

// look asks once about an intent.
func (c *crew) look(t *thread, m *matter) {
	e, sub := c.mind(m), m
	if m.of != nil {
		sub = m.of
	}
	op, f := "approval.query", history.Facts{Key: m.key()}
	switch {
	case m.form == "purchase":
		op = "purchase.query"
	case m.form != "submission" && c.promise(sub).Query.ByRef, // it shows in the submission's record
		e.ref != "" && c.promise(sub).Query.ByRef && !c.w.dice.chance(20):
		op, f = "approval.track", history.Facts{Ref: c.mind(sub).ref}
	case m.form != "submission" && c.promise(sub).Query.ByKey:
		f.Key = sub.key()
	}
	m.looks++
	r := c.call(t, op, f)
	c.reads[op]++
	defer c.learned()
	if r.failed || r.status >= 300 {
		return
	}
	for _, item := range append(slices.Clone(r.facts.Items), r.facts) {
		c.record(sub, &item)
		if m.form == "purchase" && item.Ref != "" && item.Key == m.key() && item.Approval == m.target {
			e.standing, e.ref = contract.Accepted, item.Ref
		}
	}
	c.w.hinted = c.w.hinted || r.facts.Status == "created"
	switch s := r.facts.Status; {
	case op != "approval.query" || m.form != "submission":
	case s == "created" && e.standing == contract.InDoubt && !c.w.dice.chance(50):
		// which record it is it does not say; some believe it, some look first
		if c.promise(sub).Query.ByRef && c.w.dice.chance(70) {
			r := c.call(t, "approval.track", history.Facts{Ref: r.facts.Ref})
			c.reads["approval.track"]++
			if !r.failed && r.status < 300 {
				c.record(m, &r.facts)
			}
		}
	case s == "void" && r.facts.Final && (e.standing == contract.InDoubt || e.standing == contract.Conflict) && f.Key == m.key():
		e.standing, e.open, e.dead = contract.NotExecuted, 0, m.key()
	}
}

// fence makes an identifier void, or learns that it was used.
func (c *crew) fence(t *thread, m *matter) {
	m.fences++
	c.act()
	key := m.key()
	r := c.call(t, "approval.void", history.Facts{Key: key})
	defer c.learned()
	c.w.hinted = c.w.hinted || r.facts.Status == "created"
	e := c.mind(m)
	if !r.failed && r.status < 300 && r.facts.Final && r.facts.Status == "void" && key == m.key() &&
		(e.standing == contract.InDoubt || e.standing == contract.Conflict) {
		e.standing, e.open, e.dead = contract.NotExecuted, 0, m.key()
	}
}
