package judge

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// called recognises what a request is, judges it, and then lets it take effect.
func (p *replay) called(r *history.Record) {
	c, w := p.index.calls[r.Call], p.works[r.Work]
	if c == nil || w == nil || r.Wire.Copy || c.sent != r {
		return
	}
	p.calls++
	c.by, c.open = w, true
	w.open++
	c.conn.open = append(c.conn.open, c)
	p.prove(w, c.stated().Ref, r.At)
	p.prove(w, c.stated().Approval, r.At)
	switch {
	case w.task.question != nil:
		p.inquires(c)
	case !c.op.Write:
		p.asks(c)
	case c.op.Service == "desk":
		p.escalates(c)
	case c.op.Name == "void":
		p.fences(c)
	default:
		p.writes(c)
	}
}

// asks takes in a read.
func (p *replay) asks(c *call) {
	w, t := c.by, c.by.task
	op := c.op.Service + "." + c.op.Name
	for _, into := range []*map[string]int{&t.reads, &w.reads, &w.unstored} {
		put(into, op, (*into)[op]+1)
	}
	c.intent = t.keys[c.stated().Key]
	if ref := c.stated().Ref; c.intent == nil && ref != "" {
		c.intent = t.refs[ref]
	}
	if i := c.intent; i != nil {
		i.asked++
		p.busy(i, c)
		for _, dep := range i.depends {
			if dep != nil { // what depends on a submission shows in its record too
				dep.asked++
				p.busy(dep, c)
			}
		}
	}
	for _, r := range rules {
		if r.read == nil {
			continue
		}
		if f := r.read(p, c); f != nil {
			p.report(r, f)
		}
	}
}

// busy notes until when a call about an intent lasted that left inside its
// verification period.
func (p *replay) busy(i *intent, c *call) {
	if i.beganN != 0 && c.first() <= i.beganLate+p.limits.VerificationPeriod {
		i.busyUntil = max(i.busyUntil, min(c.ends(p.index), c.first()+p.limits.AttemptTimeout+p.limits.Slack(p.blur(c.first(), c.ends(p.index)))))
	}
}

// fences takes in that an identifier is to be fenced. One that was recorded and
// never sent is the agent's own affair.
func (p *replay) fences(c *call) {
	t, key := c.by.task, c.stated().Key
	i := t.keys[key]
	if i == nil {
		put(&t.fenced, key, c)
		return
	}
	c.intent = i
	p.judge(&act{action: contract.Void, intent: i, work: c.by, call: c, at: c.first(), key: c.stated().Key, n: c.sent.N})
	i.asked++ // the answer says whether the identifier was used
	p.busy(i, c)
	c.by.act(c.sent)
}

// writes takes in a submission, purchase, notification or withdrawal.
func (p *replay) writes(c *call) {
	t := c.by.task
	i := p.target(t, c)
	if i == nil {
		if !c.sent.Wire.Whole {
			return // it was cut before it said what it is
		}
		p.report(&uncontrolledWrite, &Finding{
			Task: t.id, Action: c.op.String(), Records: []int{c.sent.N},
			Observed: "a " + c.op.String() + " that belongs to nothing that a person confirmed for this task",
		})
		return
	}
	c.intent = i
	m := i.mind(c.by)
	a := &act{intent: i, work: c.by, call: c, own: m.last, at: c.first(), key: c.key(), n: c.sent.N, newKey: !i.same(c.key())}
	if n := len(i.sends); n > 0 {
		a.prev = i.sends[n-1]
	}
	if owner := t.keys[a.key]; owner != nil && owner != i {
		a.reused = owner
	}
	a.changed = !a.newKey && i.fixed != nil && c.sent.Wire.Whole && c.stated().Content != i.fixed.Content
	c.resend = transportResend(a.own, c, p.limits.BackoffBase)
	a.action = a.recognise(m)
	a.parents = a.dependence()
	p.judge(a)
	p.sends(a)
}

// recognise names the action of a write. A successor takes the place of an
// identifier that is dead; without an identifier no service can know it again.
func (a *act) recognise(m *mind) contract.Action {
	switch {
	case a.prev == nil:
		return contract.Submit
	case !a.newKey:
		return contract.Replay
	case m.set.Has(contract.NotExecuted) && a.intent.last.dead != no && a.intent.same(a.call.stated().Supersedes):
		return contract.Resend
	default:
		return contract.Resubmit
	}
}

// maxOlder bounds the older versions that a revision is compared with.
const maxOlder = 16

// dependence is what must allow the first send of an intent besides its own row.
func (a *act) dependence() []parent {
	i := a.intent
	switch {
	case a.prev != nil:
		return nil // what it rests on was judged at its first send; its own row governs the rest
	case i.form != submission:
		return []parent{{intent: i.of, action: formings[i.form].action}}
	}
	var older []parent
	for v := i.confirm.version - 1; v > 0 && v >= i.confirm.version-maxOlder; v-- {
		if old := i.task.submission(i.confirm.id, v); old != nil {
			older = append(older, parent{intent: old, action: contract.SubmitRevised})
		}
	}
	return older
}

// target finds the intent that a write is about.
func (p *replay) target(t *task, c *call) *intent {
	f := c.stated()
	switch c.op.Service + "." + c.op.Name {
	case formings[submission].operation:
		if i := t.submission(f.Confirmation, f.Version); i != nil {
			return i
		}
		if i := t.keys[c.key()]; i != nil || c.sent.Wire.Whole {
			return i
		}
		return t.begun()
	case formings[purchase].operation:
		of := t.refs[f.Approval]
		if of == nil && f.Content != "" {
			of = t.contents[f.Content]
		}
		return p.dependent(t, purchase, of)
	case formings[notification].operation:
		return p.dependent(t, notification, t.refs[f.Ref])
	case formings[withdrawal].operation:
		of := t.refs[f.Ref]
		if of == nil {
			of = t.keys[f.Supersedes] // the key of the submission
		}
		if of != nil {
			of = of.root()
		}
		return p.dependent(t, withdrawal, of)
	}
	return nil
}

// begun is the submission that a send was of that was cut before it said which:
// the only one of which nothing was sent. Nil: there is none, or more than one.
func (t *task) begun() *intent {
	var only *intent
	for _, i := range t.current() {
		switch {
		case len(i.sends) > 0:
		case only != nil:
			return nil
		default:
			only = i
		}
	}
	return only
}

// succeeds notes that a send takes the place of an identifier that was fenced
// before anything was sent under it: another worker may just be about to.
func (p *replay) succeeds(i *intent, c *call) {
	t, key := i.task, c.stated().Supersedes
	if fence := t.fenced[key]; fence != nil && t.keys[key] == nil && i.form == submission {
		t.keys[key] = i
		i.identify(key, c.first(), c.first())
		i.bury(key, maybe)
	}
}

// begun is when the attempt that a call is may have begun: with the dial, where
// it opened its own connection. One that was opened long before stood ready.
func (p *replay) begun(c *call) time.Duration {
	opened := c.conn.opened
	if opened == nil || c.sent.Wire.Seq > 1 || c.first()-opened.At > p.limits.AttemptTimeout {
		return c.first()
	}
	return opened.At
}

// sends lets a write take effect on what is known.
func (p *replay) sends(a *act) {
	i, t, c := a.intent, a.work.task, a.call
	early := min(a.recorded(), p.begun(c))
	if i.beganN == 0 {
		i.began, i.beganN = early, a.n
	}
	if c.sent.Wire.Whole && i.fixed == nil {
		i.fixed = c.stated()
	}
	if a.action == contract.Resubmit {
		t.resubmitted++
	}
	c.write = true
	i.add(c, early, a.at)
	if a.key != "" && t.keys[a.key] == nil {
		t.keys[a.key] = i
	}
	p.succeeds(i, c)
	for _, w := range t.active {
		i.mind(w).sent(w, i.last)
	}
	m := i.mind(a.work)
	m.sent(a.work, i.last)
	if i.form == withdrawal && p.withdrawableBy(i.of.mind(a.work).set) != yes {
		m.set |= contract.Standings(contract.NotExecuted) // what was decided before it came is past withdrawing
	}
	m.last = c
	if !c.resend {
		m.visible++
	}
	p.busy(i, c)
	a.work.act(c.sent)
}
