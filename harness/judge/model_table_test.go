package judge_test

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// rights are what the table allows about a matter, to one who knows what this
// crew knows. They are copied from the design's table, row by row.
type rights struct {
	row                                                     string
	send, replay, resend, void, escalate                    bool // of the matter itself
	withdraw, notify, purchase, revise                      bool // of what depends on it
	must                                                    bool // nothing is left but to hand over
	protected, queryable, running, left, waitsLong, preview bool
}

// margin is what an agent keeps from a bound that it must not pass.
const margin = 3 * time.Millisecond

func (c *crew) rights(m *matter) (r rights) {
	e, p, l, now := c.mind(m), c.promise(m), c.w.limits, c.w.now
	end := m.began + l.VerificationPeriod
	r.running = m.began < 0 || now+margin < end
	over := m.began >= 0 && now >= end
	r.protected = p.Idempotency.Supported && (m.first < 0 || now+margin < m.first+p.Idempotency.Retention())
	lapsed := !p.Idempotency.Supported || m.first >= 0 && now >= m.first+p.Idempotency.Retention()+margin
	r.queryable = p.Query.ByKey
	r.left = m.attempts < l.MaxAttempts+c.w.kills
	r.waitsLong = m.began >= 0 && e.wait >= end
	r.preview = e.standing == contract.Unsent && !p.Idempotency.Supported && !p.Query.ByKey
	doubt, settled := e.standing == contract.InDoubt, e.standing == contract.Accepted || e.standing == contract.Partial
	blind := over || !p.Query.ByKey
	sub := m.form == "submission"
	cancelled := c.cancelled && (sub || m.form == "purchase")
	bought := false
	if buy := c.dep(m, "purchase"); sub && buy != nil {
		s := c.mind(buy).standing
		bought = s == contract.InDoubt || s == contract.Conflict || s == contract.Accepted
	}
	switch {
	case c.stopped:
		r.row, r.escalate = "stopped", true
	case r.preview:
		r.row = "preview-only"
	case cancelled && !doubt && e.standing != contract.Conflict && !settled && e.standing != contract.Approved && e.standing != contract.Declined && e.standing != contract.Withdrawn:
		r.row = "cancelled-unsent"
	case cancelled && (doubt || e.standing == contract.Conflict):
		r.row, r.void, r.escalate = "cancelled-unverified", p.Void, blind || e.standing == contract.Conflict
		r.must = over || !p.Query.ByKey && !p.Void
	case cancelled && settled && sub:
		r.row = "cancelled-accepted"
		r.withdraw = c.w.onCancel == "withdraw" && c.withdrawable(m)
		r.escalate = !r.withdraw || c.dep(m, "withdrawal") != nil && c.dep(m, "withdrawal").attempts > 0
	case cancelled && e.standing == contract.Approved && !bought:
		r.row, r.escalate = "cancelled-settled", true
	case sub && m == c.sub() && c.revised() && (doubt || e.standing == contract.Conflict):
		r.row, r.void, r.escalate = "revised-unverified", p.Void, blind || e.standing == contract.Conflict
		r.must = over || !p.Query.ByKey && !p.Void
	case sub && m == c.sub() && c.revised() && settled:
		r.row, r.withdraw, r.escalate = "revised-accepted", c.withdrawable(m), true
	case sub && m == c.sub() && c.revised() && e.standing == contract.Approved:
		r.row, r.escalate = "revised-settled", true
	case sub && m == c.sub() && c.revised():
		r.row, r.revise = "revised-clear", true
	case (e.standing == contract.Unsent || doubt) && c.denied(m):
		r.row, r.escalate, r.must = "unauthorized", true, true
	case e.standing == contract.Unsent:
		r.row, r.send = "first-send", r.left
		r.escalate = !r.left || over || r.waitsLong
		r.must = !r.left || over
	case e.standing == contract.Conflict:
		r.row, r.escalate, r.must = "identifier-conflict", true, true
	case e.standing == contract.Refused:
		r.row, r.escalate = "refused-without-effect", true
	case e.standing == contract.NotExecuted:
		r.row, r.resend, r.escalate = "not-executed-retryable", r.left, true
	case doubt && r.protected && r.left && r.running:
		r.row, r.replay, r.void, r.escalate = "unknown-replay-protected", true, p.Void, r.waitsLong
	case doubt && p.Query.ByKey && r.running:
		r.row, r.void, r.escalate = "unknown-queryable", p.Void, r.waitsLong
	case doubt:
		r.row = "unknown-exhausted"
		r.escalate = over || !p.Query.ByKey && (lapsed || !r.left)
		r.must = r.escalate
	case settled && e.missing:
		r.row, r.notify = "confirmed-partial", true
	case settled:
		r.row = "confirmed-accepted"
	case e.standing == contract.Approved:
		r.row, r.purchase, r.notify = "settled-approved", true, e.missing
	default:
		r.row = "settled-declined"
	}
	return r
}

// withdrawable tells whether a submission can be withdrawn: by its state, with
// permission, and in a way that can be verified.
func (c *crew) withdrawable(m *matter) bool {
	p, states := c.w.promises["approval.withdraw"], c.w.promises["approval.submit"]
	state := c.mind(m).status
	return (p.Idempotency.Supported || p.Query.ByKey) && states.Withdrawable(state) && !c.denied(&matter{form: "withdrawal"})
}
