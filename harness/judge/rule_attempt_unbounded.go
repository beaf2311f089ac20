package judge

import "fmt"

var attemptUnbounded = Rule{
	ID: "attempt-unbounded", Family: Bounds, Party: Agent,
	Sentence: "An attempt was left open far beyond its time-out.",
	Correct:  "Bounds every attempt, so that a hung call never hangs the run.",
	Covers:   []string{"A10", "B27"},
	end: func(p *replay) []*Finding {
		var out []*Finding
		for _, c := range p.index.inOrder {
			if c.by == nil {
				continue
			}
			end := c.ends(p.index)
			open := end - c.first()
			bound := p.limits.AttemptTimeout + p.limits.Slack(p.blur(c.first(), end)) + c.by.process.frozen(c.first(), end)
			if open <= bound {
				continue
			}
			f := &Finding{
				Task: c.by.task.id, Action: c.op.String(), Records: c.records(),
				Observed: fmt.Sprintf("a %s was open for %s; an attempt is bounded to %s", c.op, millis(open), millis(p.limits.AttemptTimeout)),
			}
			if c.intent != nil {
				f.Intent = c.intent.String()
			}
			out = append(out, p.timed(f, open-bound, c.first(), end))
		}
		return out
	},
}
