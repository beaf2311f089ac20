package judge_test

import (
	"fmt"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// announce claims what the table demands, once.
func (c *crew) announce(t *thread) bool {
	e, sub := c.mind(c.sub()), c.sub()
	state, ref := "", ""
	switch row := c.rights(sub).row; {
	case row == "unknown-queryable", row == "unknown-replay-protected":
		state = "pending_verification"
	case e.standing == contract.Accepted:
		state, ref = "tracking", e.ref
	case c.w.disk.handed != nil && e.ref != "":
		state, ref = "escalated", e.ref
	}
	what := fmt.Sprint(sub.confirmed.Version, state, ref)
	if state == "" || c.w.disk.claimed[what] {
		return false
	}
	c.w.disk.claimed[what] = true
	c.claim(t, state, ref)
	return true
}

// repair brings the notification about that is known to be missing, if it likes to.
func (c *crew) repair(t *thread, sub *matter) bool {
	notify, p := c.dep(sub, "notification"), c.w.promises["approval.notify"]
	can := p.Idempotency.Supported || p.Query.ByKey
	if !c.mind(sub).missing || !can || notify != nil && !c.unfinished(notify) || !c.w.dice.chance(50) {
		return false
	}
	if notify == nil {
		notify = c.propose("notification", sub.confirmed, sub)
	}
	c.pursue(t, notify)
	return true
}

// afterwards delivers an escalation, listens, and ends.
func (c *crew) afterwards(t *thread) {
	h, d := c.w.disk.handed, c.w.dice
	if !h.done {
		if h.by != c && !h.by.host.dead {
			t.sleep(5 * time.Millisecond) // whoever recorded it delivers it
			return
		}
		if c.w.now < h.next {
			t.sleep(h.next - c.w.now)
			return
		}
		c.act()
		said := h.brief
		r := c.call(t, "desk.escalate", history.Facts{Key: h.key, Escalation: &said})
		h.tries++
		h.next = r.end + d.span(25*time.Millisecond, 50*time.Millisecond)
		if !r.failed && r.status < 300 {
			h.done, h.at = true, c.w.now
			c.person(h)
		} else if h.tries >= 3 {
			h.done, h.at = true, c.w.now
		}
		return
	}
	sub := c.sub()
	switch {
	case c.stopped, h.choice == "close", d.chance(20):
		c.end(t, "escalated")
	case !h.resolved && !c.inDoubt() && c.mind(sub).standing != contract.Unsent && d.chance(70):
		if e := c.mind(sub); e.ref != "" {
			c.speak(t)
		}
		h.by, h.resolved, h.done, h.tries, h.brief = c, true, false, 0, c.brief(sub)
		c.act()
	case h.choice == "resubmit" && !h.again && c.w.now >= c.mind(sub).wait && c.inDoubt() && !c.cancelled && !c.revised():
		c.check(t)
		if c.rights(sub).row == "unauthorized" || c.cancelled || c.stopped || c.revised() || !c.inDoubt() {
			c.end(t, "escalated")
			return
		}
		h.again = true
		c.succeed(sub)
		c.send(t, sub)
	case h.choice == "wait" && c.inDoubt() && c.searchable(sub) && c.w.now < h.chosen+time.Second:
		c.look(t, sub)
		c.rest(t, 50*time.Millisecond)
	case c.w.now < h.at+500*time.Millisecond:
		if !c.w.design.inbox && !c.w.design.deaf {
			c.poll(t, 20*time.Millisecond)
		}
		c.rest(t, 50*time.Millisecond)
	default:
		c.end(t, "escalated")
	}
}

// person lets the person who was asked decide, sometimes.
func (c *crew) person(h *handed) {
	w := c.w
	if w.opened || !w.dice.chance(40) {
		return
	}
	w.opened = true
	w.after(w.dice.span(10*time.Millisecond, 300*time.Millisecond), func() {
		if !w.finished {
			choice := []string{"wait", "close", "resubmit"}[w.dice.pick(3)]
			w.place(history.Control{Change: history.Decision, Escalation: "e-1", Choice: choice}, nil)
		}
	})
}
