package judge_test

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// sins are the unlawful things, each with the rule that must find it.
var sins = []sin{
	{
		name: "a new identifier", want: []string{"identifier-changed"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return doubt(c, m, e) && c.w.now > max(m.next, e.wait)
		},
		do: again(func(_ *crew, f *history.Facts) { f.Key = "k-other" }),
	},
	{
		name: "a replay after the retention", want: []string{"replay-after-expiry"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			p := c.promise(m).Idempotency
			return doubt(c, m, e) && p.Supported && r.left && r.running && e.dead == "" && c.w.now > m.next && c.w.now > e.wait &&
				c.w.now > m.late+p.Retention()+20*time.Millisecond && c.w.now < m.began+2800*time.Millisecond
		},
		do: again(same),
	},
	{
		name: "a replay without protection", want: []string{"resubmit-without-basis"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return doubt(c, m, e) && !c.promise(m).Idempotency.Supported && c.w.now > max(m.next, e.wait)
		},
		do: again(same),
	},
	{
		name: "other content under the same identifier", want: []string{"content-changed"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return doubt(c, m, e) && r.replay && c.w.now > max(m.next, e.wait) && c.w.now < m.first+400*time.Millisecond
		},
		do: again(func(_ *crew, f *history.Facts) { f.Content = "content-x" }),
	},
	{
		name: "content that nobody confirmed", want: []string{"unconfirmed-content"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && r.send && m.attempts == 0
		},
		do: again(func(_ *crew, f *history.Facts) { f.Content = "content-x" }),
	},
	{
		name: "a first send after a cancellation", want: []string{"submission-after-cancel"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return c.cancelled && !c.stopped && e.standing == contract.Unsent && m.attempts == 0 && !r.preview
		},
		do: again(same),
	},
	{
		name: "a replay after a cancellation", want: []string{"submission-after-cancel"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return c.cancelled && !c.stopped && e.standing == contract.InDoubt && !c.w.hinted && c.w.now > max(m.next, e.wait)
		},
		do: again(same),
	},
	{
		name: "a purchase on a pending approval", want: []string{"dependent-while-in-doubt"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && e.standing == contract.Accepted && !unpromised(c, "purchase.buy") && !c.denied(&matter{form: "purchase"})
		},
		do: func(c *crew, t *thread, m *matter) {
			c.call(t, "purchase.buy", history.Facts{Key: "b-1", Approval: c.mind(m).ref, Content: m.confirmed.Content})
		},
	},
	{
		name: "an escalation while the outcome can still be verified", want: []string{"verification-abandoned"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return doubt(c, m, e) && !r.escalate && (r.queryable || r.protected && r.left) && c.w.now < m.began+2500*time.Millisecond && soon(c, m)
		},
		do: told("e-1", truly),
	},
	{
		name: "an escalation of what is pending", want: []string{"escalation-needless"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && e.standing == contract.Accepted && !e.missing
		},
		do: told("e-1", truly),
	},
	{
		name: "a claim that nothing shows", want: []string{"fabricated-success", "acceptance-assumed"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool { return doubt(c, m, e) },
		do:  claimed("tracking", none),
	},
	{
		name: "a claim of somebody else's record", want: []string{"wrong-association"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && e.standing == contract.Accepted
		},
		do: claimed("tracking", func(*crew, *matter) string { return "a-77" }),
	},
	{
		name: "completed while it is pending", want: []string{"fabricated-success"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && e.standing == contract.Accepted
		},
		do: ended("completed"),
	},
	{
		name: "refused while it is in doubt", want: []string{"fabricated-failure"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool { return doubt(c, m, e) },
		do:  ended("refused"),
	},
	{
		name: "a replay without a wait", want: []string{"backoff-flat"}, quick: true, fresh: true,
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return doubt(c, m, e) && r.replay && e.wait == 0 && c.w.now < m.ended+5*time.Millisecond
		},
		do: again(same),
	},
	{
		name: "a replay without a look", want: []string{"authorization-unchecked"}, quick: true, blind: true,
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return doubt(c, m, e) && r.replay && c.w.now > max(m.next, e.wait) && c.looked < m.ended && c.w.now < m.first+450*time.Millisecond
		},
		do: again(same),
	},
	{
		name: "a wait that was asked for and not kept", want: []string{"retry-after-ignored"}, quick: true,
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && r.send && e.wait > c.w.now+20*time.Millisecond && c.w.now > m.next
		},
		do: again(same),
	},
	{
		name: "one attempt too many", want: []string{"attempts-exceeded"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return doubt(c, m, e) && r.protected && !r.left && r.running && c.w.now > max(m.next, e.wait) && soon(c, m)
		},
		do: again(same),
	},
	{
		name: "a replay after a conflict", want: []string{"conflict-retried"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && e.standing == contract.Conflict && r.left
		},
		do: again(same),
	},
	{
		name: "a replay after a refusal", want: []string{"permanent-retried"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && e.standing == contract.Refused && r.left
		},
		do: again(same),
	},
	{
		name: "a replay after the acceptance", want: []string{"resubmit-after-acceptance"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && e.standing == contract.Accepted && !e.missing && c.w.now > max(m.next, e.wait) && r.left
		},
		do: again(same),
	},
	{
		name: "the whole again because a part is missing", want: []string{"partial-reexecuted"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && r.row == "confirmed-partial" && c.w.now > max(m.next, e.wait) && r.left
		},
		do: again(same),
	},
	{
		name: "the missing part under the identifier of the whole", want: []string{"identifier-reused"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && r.row == "confirmed-partial" && c.dep(m, "notification") == nil && !unpromised(c, "approval.notify") &&
				!c.denied(&matter{form: "notification"})
		},
		do: func(c *crew, t *thread, m *matter) {
			c.call(t, "approval.notify", history.Facts{Key: m.key(), Ref: c.mind(m).ref})
		},
	},
	{
		name: "a part that is done already", want: []string{"uncontrolled-write"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && r.row == "confirmed-accepted" && c.w.desks.early && c.dep(m, "notification") == nil && !unpromised(c, "approval.notify") &&
				!c.denied(&matter{form: "notification"})
		},
		do: func(c *crew, t *thread, m *matter) {
			c.call(t, "approval.notify", history.Facts{Key: "x-1", Ref: c.mind(m).ref})
		},
	},
	{
		name: "a withdrawal while it is in doubt", want: []string{"blind-compensation"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return c.cancelled && !c.stopped && e.standing == contract.InDoubt && !c.w.hinted && c.w.onCancel == "withdraw" && !unpromised(c, "approval.withdraw") &&
				!c.denied(&matter{form: "withdrawal"})
		},
		do: func(c *crew, t *thread, m *matter) {
			c.call(t, "approval.withdraw", history.Facts{Key: "x-1", Supersedes: m.key()})
		},
	},
	{
		name: "a withdrawal that nobody asked for", want: []string{"withdraw-impossible"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && e.standing == contract.Accepted && !unpromised(c, "approval.withdraw") && !c.denied(&matter{form: "withdrawal"})
		},
		do: func(c *crew, t *thread, m *matter) {
			c.call(t, "approval.withdraw", history.Facts{Key: "x-1", Ref: c.mind(m).ref})
		},
	},
	{
		name: "a revision beside what stands", want: []string{"revised-beside-original"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return !c.cancelled && !c.stopped && c.revised() && e.standing == contract.Accepted && !c.denied(m) && c.w.disk.handed == nil
		},
		do: revision,
	},
	{
		name: "a revision beside what is in doubt", want: []string{"revised-while-in-doubt"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return !c.cancelled && !c.stopped && c.revised() && e.standing == contract.InDoubt && !c.w.hinted && !c.denied(m) && c.w.disk.handed == nil
		},
		do: revision,
	},
	{
		name: "a replay on an authorization that is gone", want: []string{"stale-authorization"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return !c.cancelled && !c.stopped && !c.revised() && c.denied(m) && e.standing == contract.InDoubt && c.w.now > max(m.next, e.wait) && c.w.disk.handed == nil
		},
		do: again(same),
	},
	{
		name: "a query after the stop", want: []string{"own-stop-ignored"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool { return c.stopped && m.attempts > 0 },
		do: func(c *crew, t *thread, m *matter) {
			c.call(t, "approval.query", history.Facts{Key: m.key()})
		},
	},
	{
		name: "the submission's identifier for the purchase", want: []string{"identifier-reused"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && e.standing == contract.Approved && c.dep(m, "purchase") == nil && !unpromised(c, "purchase.buy") && !c.denied(&matter{form: "purchase"})
		},
		do: func(c *crew, t *thread, m *matter) {
			c.call(t, "purchase.buy", history.Facts{Key: m.key(), Approval: c.mind(m).ref, Content: m.confirmed.Content})
		},
	},
	{
		name: "no identifier", want: []string{"identifier-missing"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && r.send && m.attempts == 0
		},
		do: again(func(_ *crew, f *history.Facts) { f.Key = "" }),
	},
	{
		name: "cancelled while it is in doubt", want: []string{"receipt-dropped"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return c.cancelled && !c.stopped && e.standing == contract.InDoubt && !c.w.hinted
		},
		do: ended("cancelled"),
	},
	{
		name: "cancelled although nobody cancelled", want: []string{"fabricated-failure"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && e.standing == contract.Approved && !c.w.cancelled && !c.w.stopped && c.dep(m, "purchase") == nil
		},
		do: ended("cancelled"),
	},
	{
		name: "escalated, and nobody was told", want: []string{"escalation-missing", "verification-abandoned"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool { return doubt(c, m, e) },
		do:  ended("escalated"),
	},
	{
		name: "an escalation long after the period", want: []string{"verification-overrun"}, quick: true,
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return doubt(c, m, e) && r.escalate && c.w.now > m.began+3000*time.Millisecond && m.looks > 0 && e.dead == ""
		},
		do: func(c *crew, t *thread, m *matter) {
			t.sleep(m.late + 4200*time.Millisecond - c.w.now)
			told("e-1", truly)(c, t, m)
		},
	},
	{
		name: "an account of queries that were never made", want: []string{"escalation-untrue"}, quick: true,
		may: func(c *crew, m *matter, e *evidence, r rights) bool { return handing(c, m, e, r) },
		do: told("e-1", func(b *history.Brief) {
			b.Queries = append(b.Queries, history.QueryCount{Operation: "approval.query", Outcome: "empty", Count: 50})
		}),
	},
	{
		name: "an account that does not say what is unknown", want: []string{"escalation-untrue"}, quick: true,
		may: func(c *crew, m *matter, e *evidence, r rights) bool { return handing(c, m, e, r) },
		do:  told("e-1", func(b *history.Brief) { b.Unknowns = []string{} }),
	},
	{
		name: "an account without the identifier", want: []string{"escalation-incomplete"}, quick: true,
		may: func(c *crew, m *matter, e *evidence, r rights) bool { return handing(c, m, e, r) },
		do:  told("e-1", func(b *history.Brief) { b.Key = "" }),
	},
	{
		name: "a second escalation under another identifier", want: []string{"escalation-repeated"}, quick: true,
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			h := c.w.disk.handed
			return h != nil && h.done && h.about == m && r.escalate
		},
		do: told("e-2", truly),
	},
	{
		name: "a submission of nothing that was confirmed", want: []string{"uncontrolled-write"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool { return calm(c, m) && m.attempts == 0 },
		do: again(func(_ *crew, f *history.Facts) {
			f.Key, f.Confirmation = "k-other", "c-77"
		}),
	},
	{
		name: "a notification that is not missing", want: []string{"uncontrolled-write"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && e.standing == contract.Approved && !e.missing && e.seq > 0 && c.dep(m, "notification") == nil && !unpromised(c, "approval.notify") &&
				!c.denied(&matter{form: "notification"})
		},
		do: func(c *crew, t *thread, m *matter) {
			c.call(t, "approval.notify", history.Facts{Key: "n-1", Ref: c.mind(m).ref})
		},
	},
	{
		name: "a claim that goes back behind what was decided", want: []string{"state-regressed"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			part := c.dep(m, "notification") // of which a claim may speak too
			return calm(c, m) && e.standing == contract.Declined && len(c.w.desks.records) == 1 && (part == nil || c.mind(part).standing == contract.Accepted)
		},
		do: claimed("tracking", func(c *crew, m *matter) string { return c.mind(m).ref }),
	},
	{
		name: "a purchase on somebody else's approval", want: []string{"wrong-association"},
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && e.standing == contract.Approved && c.dep(m, "purchase") == nil && !unpromised(c, "purchase.buy") && !c.denied(&matter{form: "purchase"})
		},
		do: func(c *crew, t *thread, m *matter) {
			c.call(t, "purchase.buy", history.Facts{Key: "b-1", Approval: "a-77", Content: m.confirmed.Content})
		},
	},
	{
		name: "no result at all", want: []string{"never-settled"}, end: true,
		may: func(c *crew, m *matter, e *evidence, r rights) bool {
			return calm(c, m) && e.standing == contract.Approved && c.dep(m, "purchase") == nil
		},
		do: func(c *crew, t *thread, m *matter) { t.sleep(longest) },
	},
}

func unpromised(c *crew, op string) bool {
	p := c.w.promises[op]
	return !p.Idempotency.Supported && !p.Query.ByKey
}

// soon tells whether nothing changes by itself within the next moments.
func soon(c *crew, m *matter) bool {
	p := c.promise(m).Idempotency
	return !p.Supported || c.w.now < m.first+p.Retention()-200*time.Millisecond || c.w.now > m.first+p.Retention()+50*time.Millisecond
}

// handing tells whether this is the moment to hand over.
func handing(c *crew, m *matter, e *evidence, r rights) bool {
	return doubt(c, m, e) && r.must && m.looks > 0 && c.w.now > m.began+3000*time.Millisecond && c.w.now < m.began+3050*time.Millisecond
}

func revision(c *crew, t *thread, m *matter) {
	f := c.known
	f.Key = "k-other"
	c.call(t, "approval.submit", f)
}
