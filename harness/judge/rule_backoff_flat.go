package judge

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

var backoffFlat = Rule{
	ID: "backoff-flat", Family: Bounds, Party: Agent,
	Sentence: "An attempt followed the one before it too soon.",
	Correct:  "Waits at least the jittered part of base x 2^(n-1) after the end of attempt n.",
	Covers:   []string{"B27", "A08"},
	act: func(p *replay, a *act) *Finding {
		if !a.resends() || a.own == nil || a.call.resend || a.action == contract.Resubmit && a.lawful {
			return nil // a person's word is no attempt of the agent's own accord
		}
		if a.own.wait() > 0 && p.index.classify(a.own) != undelivered {
			return nil // another rule speaks of the wait that was asked for
		}
		end := p.overBefore(a.own, a.call)
		n := min(a.intent.mind(a.work).visible, maxSteps)
		least := time.Duration(p.limits.BackoffJitter * float64(p.limits.Step(n)))
		wait := a.at - end
		if wait >= least-p.blur(end, a.at) {
			return nil
		}
		f := p.about(a, "attempt %d left %s after the end of the one before it; the least wait is %s", n+1, millis(wait), millis(least))
		f.Records = append([]int{a.own.sent.N}, f.Records...)
		return p.timed(f, least-wait, end, a.at)
	},
	attempt: func(p *replay, a *attempt) *Finding {
		if a.prev == nil || a.call.resend || !a.was.may(transient) || a.of.times() > 1 || p.over(a) != no || a.q.crowded {
			return nil
		}
		if a.prev.wait() > 0 && p.took(a.prev) != undelivered {
			return nil // another rule speaks of the wait that was asked for
		}
		end := p.overBefore(a.prev, a.call)
		wait := a.call.first() - end
		p.waitsOf(a, wait, p.blur(end, a.call.first()))
		least := time.Duration(p.limits.BackoffJitter * float64(p.limits.Step(min(a.own-1, maxSteps))))
		if wait >= least-p.blur(end, a.call.first()) {
			return nil
		}
		f := p.tries(a, "attempt %d left %s after the end of the one before it; the least wait is %s", a.own, millis(wait), millis(least))
		return p.timed(f, least-wait, end, a.call.first())
	},
}

// overBefore is when an attempt ended at the latest for the client that made the
// next one. A client that gives up goes on, and its library closes the connection
// beside it: where that came after the next attempt had begun, it is not the end
// of the attempt, which was over when its time was.
func (p *replay) overBefore(c, next *call) time.Duration {
	end := c.over(next.first())
	if left := c.conn.client; left == nil || left.At != end || end <= p.begun(next) {
		return end
	}
	return min(end, c.first()+p.limits.AttemptTimeout)
}

// maxSteps bounds the doublings of a wait that are worked out: long before it
// the greatest wait is reached.
const maxSteps = 64
