package judge

import "time"

var backoffFlat = Rule{
	ID: "backoff-flat", Family: Bounds, Party: Agent,
	Sentence: "An attempt followed the one before it too soon.",
	Correct:  "Waits at least the jittered part of base x 2^(n-1) after the end of attempt n.",
	Covers:   []string{"B27", "A08"},
	act: func(p *replay, a *act) *Finding {
		if !a.again() || a.call.resend || a.prev.work() != a.work.id || asksToWait(a.prev) {
			return nil
		}
		end, ok := a.prev.end()
		if !ok {
			end = a.prev.first()
		}
		n := 0
		for _, c := range a.intent.sends {
			if c.work() == a.work.id {
				n++
			}
		}
		least := time.Duration(p.limits.BackoffJitter * float64(p.limits.Step(n)))
		wait := a.at - end
		if wait >= least-p.noise {
			return nil
		}
		f := p.about(a, "attempt %d left %s after the end of the one before it; the least wait is %s", n+1, millis(wait), millis(least))
		f.Records = append([]int{a.prev.sent.N}, f.Records...)
		return p.timed(f, least-wait)
	},
}
