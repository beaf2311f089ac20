package judge

import (
	"slices"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// debt is a claim about a submission that a worker owes: every way in which it
// can have stood demands it, and nobody has made it yet.
type debt struct {
	intent *intent
	duty   string
	since  *history.Record // from which on it was owed
	// idle is for how long, the time left out in which the worker may have waited for a service or was stopped.
	idle time.Duration
}

// claimings are the claims that rows demand, with the states that fulfil them; of
// a reference any state will do.
var claimings = []struct {
	duty, state string
}{
	{contract.ClaimPending, "pending_verification"},
	{contract.ClaimTracking, "tracking"},
	{contract.ClaimRef, ""},
}

// owingIntents bounds the submissions whose claims are watched.
const owingIntents = 8

// owes looks, at each record of a worker, at what it owes: what it owed at the
// record before it, and still owes, it has owed for the time between.
func (p *replay) owes(r *history.Record) {
	w := p.works[r.Work]
	if w == nil || w.task.question != nil || w.ended() {
		return
	}
	between := r.At - w.watched - w.process.frozen(w.watched, r.At)
	if w.waited {
		between = 0
	}
	if len(w.task.results) > 0 {
		p.acquit(w, r, func(*debt) bool { return true })
		return
	}
	p.acquit(w, r, func(d *debt) bool {
		return d.intent.claimed[d.duty] || !demands(p.situations(d.intent, w, r.At), d.duty)
	})
	for n := range w.debts {
		w.debts[n].idle += between
	}
	w.watched, w.waited = r.At, w.open > 0
	subs := w.task.submissions
	for _, i := range subs[max(0, len(subs)-owingIntents):] {
		for _, c := range claimings {
			if i.claimed[c.duty] || slices.ContainsFunc(w.debts, func(d debt) bool { return d.intent == i && d.duty == c.duty }) {
				continue
			}
			if demands(p.situations(i, w, r.At), c.duty) {
				w.debts = append(w.debts, debt{intent: i, duty: c.duty, since: r})
			}
		}
	}
}

// acquit takes off the debts that are over, and reports those that were owed for
// longer than a correct agent takes, and were never paid.
func (p *replay) acquit(w *work, r *history.Record, over func(*debt) bool) {
	left := w.debts[:0]
	for n := range w.debts {
		d := &w.debts[n]
		if !over(d) {
			left = append(left, *d)
			continue
		}
		noise := p.blur(d.since.At, r.At)
		if late := d.idle - p.limits.Slack(noise); late > 0 && !d.intent.claimed[d.duty] {
			p.report(&claimMissing, p.unclaimed(w, d, r, late))
		}
	}
	w.debts = left
}

// claims notes what a claim fulfils.
func (p *replay) claims(i *intent, c *history.Control) {
	for _, claiming := range claimings {
		own := c.Ref != "" && i.task.refs[c.Ref] == i
		if claiming.state == c.State || claiming.state == "" && own {
			put(&i.claimed, claiming.duty, true)
		}
	}
	if c.State == "preview_ready" {
		put(&i.claimed, contract.ClaimPreview, true)
	}
}

// mayHaveClaimed notes the claims that a killed process may just have made, so
// that the next one need not make them: those that some way in which things stood
// demanded.
func (p *replay) mayHaveClaimed(w *work, at time.Duration) {
	subs := w.task.submissions
	for _, i := range subs[max(0, len(subs)-owingIntents):] {
		for _, s := range p.situations(i, w, at) {
			for _, duty := range s.row.Must {
				put(&i.claimed, duty, true)
			}
		}
	}
	w.debts = nil
}
