package judge_test

import (
	"fmt"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// run is the thread that works: it decides, does one thing, and decides again.
func (c *crew) run(t *thread) {
	for c.w.disk.result == "" {
		c.refresh(t)
		c.idle(t)
		c.refresh(t)
		if c.w.disk.result != "" {
			return
		}
		if c.tempted(t) {
			continue
		}
		if c.announce(t) {
			continue
		}
		if c.w.disk.handed != nil {
			c.afterwards(t)
			continue
		}
		c.step(t)
	}
}

// refresh looks at how the task stands where nothing else tells of a
// cancellation, a revision or a stop.
func (c *crew) refresh(t *thread) {
	if !c.w.design.inbox && c.w.now-c.looked > 250*time.Millisecond {
		c.check(t)
	}
}

// idle does things that are always allowed.
func (c *crew) idle(t *thread) {
	d := c.w.dice
	if h := c.w.disk.handed; c.urgent() || h != nil && !h.done {
		return
	}
	if !c.w.design.inbox && !c.w.design.deaf && d.chance(40) {
		c.poll(t, 0)
	}
	if d.chance(c.w.design.chatty) {
		switch d.pick(3) {
		case 0:
			c.check(t)
		case 1:
			c.speak(t)
		case 2:
			if sub := c.sub(); sub.attempts > 0 && !c.stopped {
				c.look(t, sub)
			}
		}
	}
}

// urgent tells whether something must be handed over now.
func (c *crew) urgent() bool {
	for _, m := range c.w.disk.matters {
		if s := c.mind(m).standing; c.w.disk.handed == nil && s == contract.InDoubt && c.rights(m).must {
			return true
		}
	}
	return false
}

// speak claims what is so.
func (c *crew) speak(t *thread) {
	e := c.mind(c.sub())
	state, ref := "submitting", e.ref
	switch e.standing {
	case contract.InDoubt, contract.Conflict:
		state = "pending_verification"
	case contract.Accepted, contract.Approved:
		state = "tracking"
	case contract.Declined:
		state = "declined"
	case contract.Withdrawn:
		state = "withdrawn"
	case contract.Refused, contract.NotExecuted:
		state = "refused"
	}
	c.claim(t, state, ref)
}

// step is one move about the present submission.
func (c *crew) step(t *thread) {
	sub := c.sub()
	e, r := c.mind(sub), c.rights(sub)
	d := c.w.dice
	switch {
	case c.stopped:
		if !c.anySent() {
			c.end(t, "cancelled")
			return
		}
		c.handOver(t, c.doubtful())
	case r.preview:
		c.claim(t, "preview_ready", "")
		c.conclude(t, "preview")
	case r.row == "cancelled-unsent":
		c.conclude(t, "cancelled")
	case r.row == "cancelled-accepted":
		if r.withdraw && (c.dep(sub, "withdrawal") == nil || c.mind(c.dep(sub, "withdrawal")).standing != contract.Refused) {
			c.takeBack(t, sub)
			return
		}
		c.handOver(t, sub)
	case r.row == "cancelled-settled":
		if d.chance(50) {
			c.conclude(t, "cancelled")
			return
		}
		c.handOver(t, sub)
	case r.row == "revised-accepted":
		if r.withdraw && !d.chance(c.w.design.impulse) && (c.dep(sub, "withdrawal") == nil || c.mind(c.dep(sub, "withdrawal")).standing != contract.Refused) {
			c.takeBack(t, sub)
			return
		}
		c.handOver(t, sub)
	case r.row == "revised-settled":
		if b := c.dep(sub, "purchase"); b != nil && b.attempts > 0 && c.mind(b).standing == contract.InDoubt {
			c.pursue(t, b)
			return
		}
		c.handOver(t, sub)
	case r.revise:
		c.propose("submission", c.known, nil)
	case e.standing == contract.Refused:
		if d.chance(30) {
			c.handOver(t, sub)
			return
		}
		c.conclude(t, "refused")
	case e.standing == contract.Accepted:
		if d.chance(30) {
			c.speak(t)
		}
		if !c.repair(t, sub) {
			c.follow(t, sub)
		}
	case e.standing == contract.Approved:
		c.fulfil(t, sub)
	case e.standing == contract.Declined, e.standing == contract.Withdrawn:
		c.speak(t)
		status := "declined"
		if e.standing == contract.Withdrawn && c.cancelled {
			status = "cancelled"
		}
		c.conclude(t, status)
	default:
		c.pursue(t, sub)
	}
}

func (c *crew) anySent() bool {
	for _, m := range c.w.disk.matters {
		if m.attempts > 0 {
			return true
		}
	}
	return false
}

// doubtful is what an escalation is about: what is in doubt, else the submission.
func (c *crew) doubtful() *matter {
	for _, m := range c.w.disk.matters {
		if c.mind(m).standing == contract.InDoubt && (m == c.sub() || m.of == c.sub()) {
			return m
		}
	}
	return c.sub()
}

// follow waits for a person's word about a submission that stands.
func (c *crew) follow(t *thread, sub *matter) {
	p := c.promise(sub)
	switch {
	case (p.Query.ByRef || p.Query.ByKey) && !c.w.dice.chance(40):
		c.look(t, sub)
	case !c.w.design.inbox && !c.w.design.deaf:
		c.poll(t, c.w.dice.span(300*time.Millisecond, 10*time.Millisecond))
	}
	c.rest(t, c.w.dice.span(200*time.Millisecond, 10*time.Millisecond))
}

// fulfil does what an approval asks for.
func (c *crew) fulfil(t *thread, sub *matter) {
	d := c.w.dice
	buy, notify := c.dep(sub, "purchase"), c.dep(sub, "notification")
	if notify != nil && c.mind(notify).standing == contract.InDoubt && c.rights(notify).must {
		c.pursue(t, notify)
		return
	}
	if c.repair(t, sub) {
		return
	}
	switch {
	case buy == nil:
		c.propose("purchase", sub.confirmed, sub)
	case c.rights(buy).preview:
		c.claim(t, "preview_ready", "")
		c.conclude(t, "preview")
	case c.unfinished(buy):
		c.pursue(t, buy)
	case c.mind(buy).standing == contract.Refused:
		c.handOver(t, buy)
	case notify != nil && c.mind(notify).standing == contract.InDoubt:
		c.pursue(t, notify)
	default:
		if d.chance(50) {
			c.claim(t, "completed", c.mind(sub).ref)
		}
		c.conclude(t, "completed")
	}
}

func (c *crew) unfinished(m *matter) bool {
	s := c.mind(m).standing
	return s == contract.Unsent || s == contract.InDoubt || s == contract.Conflict || s == contract.NotExecuted
}

// takeBack withdraws a submission and believes it when its record says so.
func (c *crew) takeBack(t *thread, sub *matter) {
	m := c.dep(sub, "withdrawal")
	if m == nil {
		m = c.propose("withdrawal", sub.confirmed, sub)
	}
	c.pursue(t, m)
}

// pursue is one move about an intent that is not settled.
func (c *crew) pursue(t *thread, m *matter) {
	r, e, d, des := c.rights(m), c.mind(m), c.w.dice, c.w.design
	if r.escalate && (r.must || d.chance(des.impulse) || e.forbidden && d.chance(20)) {
		c.handOver(t, m)
		return
	}
	if e.forbidden && e.standing == contract.InDoubt && !c.cancelled && !c.revised() && d.chance(30) { // taken for the end of the authorization
		c.handOverForbidden(t, m)
		return
	}
	ready := max(m.next, e.wait)
	switch {
	case r.send && c.w.now >= ready:
		if (d.chance(des.precheck) || m.attempts > 0) && !c.checked(t, m) {
			return
		}
		if c.rights(m).send && c.parentAllows(m) {
			c.send(t, m)
		} else if !c.parentAllows(m) || c.rights(m).row == "cancelled-unsent" {
			c.handOver(t, c.sub())
		}
	case r.send:
		c.rest(t, ready-c.w.now)
	case r.resend && c.w.now >= ready:
		if !c.checked(t, m) {
			return
		}
		if c.rights(m).resend {
			if e.dead == m.key() {
				c.succeed(m)
			}
			c.send(t, m)
		}
	case r.resend:
		c.rest(t, ready-c.w.now)
	case r.replay && c.w.now >= ready && !d.chance(100-des.replays):
		if c.checked(t, m) && c.rights(m).replay {
			c.send(t, m)
		}
	case r.void && m.fences < 4 && d.chance(des.fences):
		if d.chance(50) {
			c.check(t)
		}
		if c.rights(m).void {
			c.fence(t, m)
		}
	case c.searchable(m) && (e.standing == contract.InDoubt || e.standing == contract.Conflict):
		if !d.chance(100 - des.asks) {
			c.look(t, m)
			c.rest(t, d.span(100*time.Millisecond, 5*time.Millisecond))
			return
		}
		c.rest(t, d.span(50*time.Millisecond, 5*time.Millisecond))
	case e.standing == contract.InDoubt && r.replay && c.w.now >= ready && des.replays > 0:
		if c.checked(t, m) && c.rights(m).replay {
			c.send(t, m)
		}
	case e.standing == contract.InDoubt:
		c.rest(t, 20*time.Millisecond)
	case r.escalate:
		c.handOver(t, m)
	default:
		c.rest(t, 20*time.Millisecond)
	}
}

// conclude ends the task, unless something is in doubt that nobody was told of.
func (c *crew) conclude(t *thread, status string) {
	for _, m := range c.w.disk.matters {
		if part := m.form == "notification" || m.form == "withdrawal"; part && c.mind(m).standing == contract.InDoubt {
			c.pursue(t, m)
			return
		}
	}
	c.end(t, status)
}

// searchable tells whether there is something to ask about an intent.
func (c *crew) searchable(m *matter) bool {
	sub := m.form != "purchase" && m.of != nil && c.promise(m.of).Query.ByRef
	return c.promise(m).Query.ByKey || sub
}

// parentAllows tells whether the submission still lets the first send of what
// depends on it leave.
func (c *crew) parentAllows(m *matter) bool {
	if m.of == nil || m.attempts > 0 {
		return true
	}
	r := c.rights(m.of)
	switch m.form {
	case "purchase":
		return r.purchase
	case "notification":
		return r.notify
	default:
		return r.withdraw
	}
}

// checked looks at the authorization and tells whether the move may go on: time
// has passed, and something may have been learned.
func (c *crew) checked(t *thread, m *matter) bool {
	c.check(t)
	return c.w.disk.handed == nil && c.w.disk.result == "" && !c.stopped && m.stored.standing != contract.Accepted
}

// succeed gives a fenced submission its next identifier.
func (c *crew) succeed(m *matter) {
	m.supersedes = m.key()
	m.keys = append(m.keys, fmt.Sprintf("%s-%d", m.keys[0], len(m.keys)+1))
	m.first = -1
	c.act()
}

// rest waits, but not past the end of a verification period.
func (c *crew) rest(t *thread, d time.Duration) {
	for _, m := range c.w.disk.matters {
		if due := m.began + c.w.limits.VerificationPeriod; m.began >= 0 && due > c.w.now {
			d = min(d, due-c.w.now+50*time.Microsecond)
		}
	}
	if d = min(max(d, 100*time.Microsecond), 250*time.Millisecond); c.urgent() {
		d = 100 * time.Microsecond
	}
	if c.w.design.inbox && c.w.dice.chance(50) {
		t.await(&c.told, d)
		return
	}
	t.sleep(d)
}

// handOver records an escalation about an intent, if the table still lists one.
func (c *crew) handOver(t *thread, m *matter) {
	c.escalation(t, m, func() bool { return c.rights(m).escalate })
}

func (c *crew) handOverForbidden(t *thread, m *matter) {
	c.escalation(t, m, func() bool {
		return c.mind(m).forbidden && c.mind(m).standing == contract.InDoubt && !c.cancelled && !c.revised()
	})
}

func (c *crew) escalation(t *thread, m *matter, lawful func() bool) {
	if c.w.dice.chance(60) {
		forbidden := c.mind(m).forbidden
		c.check(t)
		c.mind(m).forbidden = forbidden
	}
	d := c.w.disk
	if d.handed != nil || d.result != "" || !lawful() {
		t.sleep(100 * time.Microsecond)
		return
	}
	d.handed = &handed{by: c, key: "e-1", about: m, brief: c.brief(m), resolved: !c.inDoubt()}
	c.act()
}

func (c *crew) inDoubt() bool { return c.mind(c.sub()).standing == contract.InDoubt }

// brief says what a person must know.
func (c *crew) brief(m *matter) history.Brief {
	b := history.Brief{
		Task: "t-1", Confirmation: "c-1", Version: m.confirmed.Version, Content: m.confirmed.Content, Key: m.key(), FirstSentAt: "x",
		Unknowns: []string{},
	}
	if m.attempts == 0 {
		b.FirstSentAt = ""
	}
	for _, other := range c.w.disk.matters {
		if c.mind(other).standing == contract.InDoubt && other.confirmed.Version == m.confirmed.Version {
			b.Unknowns = append(b.Unknowns, unknownOf(other))
		}
	}
	for _, op := range []string{"approval.query", "approval.track", "purchase.query"} {
		if n := c.w.disk.reads[op] + c.reads[op]; n > 0 {
			b.Queries = append(b.Queries, history.QueryCount{Operation: op, Outcome: "empty", Count: n})
		}
	}
	return b
}
