package judge_test

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// silences are duties that are not done, and one word too many.
var silences = []sin{
	{
		name: "an acceptance that nobody is told of", want: []string{"claim-missing"}, quick: true, blind: true,
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			a := c.w.desks.byRef(e.ref)
			return calm(c, m) && r.row == "confirmed-accepted" && c.w.desks.lag == 0 && a != nil && a.now().status == "pending" &&
				c.w.now+800*time.Millisecond < a.states[0].at+c.w.desks.after && c.untroubled("tracking")
		},
		do: func(c *crew, t *thread, m *matter) {
			c.mutter(t, m, func() bool { return c.mind(m).standing == contract.Accepted })
		},
	},
	{
		name: "a doubt that nobody is told of", want: []string{"claim-missing"}, quick: true, blind: true,
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			p := c.promise(m)
			end := m.began + c.w.limits.VerificationPeriod
			return calm(c, m) && r.row == "unknown-queryable" && !p.Idempotency.Supported && !c.w.hinted && m.began == m.late &&
				c.w.now+900*time.Millisecond < end && c.untroubled("pending_verification")
		},
		do: func(c *crew, t *thread, m *matter) {
			end := m.began + c.w.limits.VerificationPeriod
			c.mutter(t, m, func() bool { return c.mind(m).standing == contract.InDoubt && c.w.now+100*time.Millisecond < end })
			if c.mind(m).standing != contract.InDoubt {
				return
			}
			for c.w.now < end+time.Millisecond {
				t.sleep(min(50*time.Millisecond, end+2*time.Millisecond-c.w.now))
			}
			told("e-1", truly)(c, t, m)
		},
	},
	{
		name: "a result that leaves out what is unknown", want: []string{"unverified-unnamed"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			h := c.w.disk.handed
			return h != nil && h.done && h.choice == "" && e.standing == contract.InDoubt && !c.w.hinted && !c.stopped && !c.cancelled && !c.revised()
		},
		do: func(c *crew, t *thread, m *matter) {
			c.act()
			c.w.record(history.Record{Kind: history.ControlResult, Task: "t-1", Work: c.id, Control: &history.Control{State: "escalated"}})
		},
	},
	{
		name: "a preview of what was sent", want: []string{"preview-unfounded"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return doubt(c, m, e) && c.promise(m).Idempotency.Supported
		},
		do: claimed("preview_ready", none),
	},
	{
		name: "one more send after the matter was closed", want: []string{"closed-matter-continued"}, blind: true, quick: true,
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			h, n := c.w.disk.handed, len(c.w.items)
			return h != nil && h.done && n > 0 && c.w.items[n-1].Control.Choice == "close" && !c.w.stopped && e.standing == contract.InDoubt
		},
		do: func(c *crew, t *thread, m *matter) {
			for range 2 { // heard, and acknowledged
				c.poll(t, 0)
			}
			t.sleep(120 * time.Millisecond)
			f := c.facts(m)
			f.Key = "k-99"
			c.call(t, "approval.submit", f)
		},
	},
}

// untroubled tells whether nobody was told of this state yet.
func (c *crew) untroubled(state string) bool { return !c.w.disk.claimed[state] }

// mutter does nothing for longer than a claim may take, and then looks a submission
// up for as long as something holds; it tells nobody.
func (c *crew) mutter(t *thread, m *matter, holds func() bool) {
	t.sleep(480 * time.Millisecond)
	for begun := c.w.now; holds() && c.w.now < begun+4*time.Second; {
		c.look(t, m)
		t.sleep(60 * time.Millisecond)
	}
}
