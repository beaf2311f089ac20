package judge

import (
	"slices"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// answers is the first result of a question, if it is an answer; nil otherwise.
func (s *statement) answers() *question {
	q := s.work.task.question
	if q == nil || !s.result || s.state() != "answered" || len(s.work.task.results) > 1 {
		return nil
	}
	return q
}

// discloses tells whether a result admits something about one of these tools.
func (s *statement) discloses(tools ...string) bool {
	return slices.ContainsFunc(s.rec.Control.Disclosures, func(text string) bool {
		return slices.ContainsFunc(tools, func(tool string) bool { return strings.Contains(text, tool) })
	})
}

// unserved are the tools that were tried, failed, and have given nothing since,
// in the order of their failure, each with the errand that failed.
func (q *question) unserved() []*errand {
	var out []*errand
	seen := map[string]bool{}
	for _, e := range q.errands {
		if len(e.sends) > 0 && !e.come.may(succeeded) && !seen[e.tool] {
			seen[e.tool] = true
			out = append(out, e)
		}
	}
	return out
}

// brokenAt is the call at whose repeated failure the breaker must have opened, or nil.
func (p *replay) brokenAt(q *question) *errand {
	for _, e := range q.errands {
		if q.failed[e.wish] >= p.limits.BreakerThreshold {
			return e
		}
	}
	return nil
}

// givenUp tells whether the only attempt at an errand failed for a moment, and
// that something else was done then although nothing stood in the way of another.
func (p *replay) givenUp(q *question, e *errand, w *work, at time.Duration) bool {
	if q.crowded || e == nil || len(e.sends) != 1 || e.last != transient || e.times() > 1 || q.task.refused || q.failed[e.wish] > 0 {
		return false
	}
	only := e.sends[0]
	longer := only.wait() > p.limits.BackoffMax && p.took(only) != undelivered
	return only.by == w && !longer && p.inForce(history.Stop, w, at) == no
}

// lastTried is the model's turn or the tool's call that was given up when a
// worker ended the task, or nil.
func (p *replay) lastTried(q *question, w *work, at time.Duration) *errand {
	if q.turn != nil {
		if n := len(q.turn.models); n > 0 && p.givenUp(q, q.turn.models[n-1], w, at) {
			return q.turn.models[n-1]
		}
	}
	if a := q.latest(); a != nil && a.sure {
		for _, ask := range a.says.Calls {
			if e := a.errands[ask.ID]; e.closed == nil && len(e.walks) == 0 && p.givenUp(q, e, w, at) {
				return e
			}
		}
	}
	return nil
}
