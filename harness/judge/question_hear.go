package judge

import (
	"slices"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// result is what the model was told about one call that it had asked for.
type result struct {
	q       *question
	of      *errand
	request *call // the first that tells it
	message *history.Message
}

// instants are those of the attempts that it tells of, and its own.
func (r *result) instants() []time.Duration {
	all := []time.Duration{r.request.first(), r.of.by.call.first()}
	for n := len(r.of.sends) - 1; n >= 0 && len(all) < 8; n-- {
		all = append(all, r.of.sends[n].first())
	}
	return all
}

// failed tells whether the result is a failure: it says so, or cannot be
// anything else.
func (r *result) failed() bool { return r.message.Failed != nil || r.known() }

// known tells whether the call was tried, or refused by the tool's schema, and
// failed for certain.
func (r *result) known() bool {
	tried := len(r.of.sends) > 0 || r.of.misfit != ""
	return tried && r.of.allFailed()
}

// real tells whether the failure came of trying: a call that the breaker or the
// chain stops was not tried.
func (r *result) real() bool {
	return len(r.of.sends) > 0 || r.of.misfit != "" || !r.stopped() && r.q.task.refused
}

// stopped tells whether it says that the call was not tried.
func (r *result) stopped() bool {
	f := r.message.Failed
	return f != nil && (f.Error == "CircuitOpen" || f.Error == "NotDeclared" || f.Attempts != nil && *f.Attempts == 0)
}

// hearing is what one request tells the model about the calls of one of its answers.
type hearing struct {
	q       *question
	request *call
	answer  *answer
	none    []string // calls without a tool message
	lost    []string // of them those that had one before
	more    []string // calls with more than one
}

// hears takes in what a request tells about the calls that the model had asked for.
func (p *replay) hears(q *question, c *call, t *talk) {
	var news []*result
	for n, a := range t.carried {
		h := &hearing{q: q, request: c, answer: a}
		said := told(t.messages[t.at[n]+1:])
		asks := t.messages[t.at[n]].Calls
		if a.sure {
			asks = a.says.Calls
		}
		for k := range asks {
			id, e := asks[k].ID, a.errands[asks[k].ID]
			if id == "" || slices.ContainsFunc(asks[:k], func(o history.ToolCall) bool { return o.ID == id }) {
				continue // nothing can tell which is meant
			}
			if r := p.hear(h, e, id, said[id]); r != nil {
				news = append(news, r)
			}
		}
		p.heard(h)
	}
	// Of what was made at once, nothing tells which came last: what succeeded makes good what failed.
	for _, r := range news {
		if r.failed() {
			q.learn(r)
		}
	}
	for _, r := range news {
		if !r.failed() {
			q.learn(r)
		}
	}
}

// told are the tool messages up to the next answer, by the call that they answer.
func told(messages []history.Message) map[string][]*history.Message {
	by := map[string][]*history.Message{}
	for i := range messages {
		m := &messages[i]
		if m.Role == "assistant" {
			break
		}
		if m.Role == "tool" {
			by[m.CallID] = append(by[m.CallID], m)
		}
	}
	return by
}

// hear takes in the tool messages about one call, and returns what they say if
// that is new.
func (p *replay) hear(h *hearing, e *errand, id string, said []*history.Message) *result {
	switch {
	case len(said) == 0 && e.told[id] != nil:
		h.lost = append(h.lost, e.tool)
		return nil
	case len(said) == 0:
		h.none = append(h.none, e.tool)
		return nil
	case len(said) > 1:
		h.more = append(h.more, e.tool)
	}
	if e.told[id] != nil {
		return nil
	}
	r := &result{q: h.q, of: e, request: h.request, message: said[len(said)-1]}
	for _, rule := range rules {
		if rule.result == nil {
			continue
		}
		if f := rule.result(p, r); f != nil {
			p.report(rule, f)
		}
	}
	e.told[id] = r.message
	if len(e.told) == len(e.ids) {
		e.closed = h.request
	}
	return r
}

// heard hands what is wrong with the tool messages to the rules.
func (p *replay) heard(h *hearing) {
	if len(h.none)+len(h.lost)+len(h.more) == 0 || h.q.crowded {
		return
	}
	for _, rule := range rules {
		if rule.hearing == nil {
			continue
		}
		if f := rule.hearing(p, h); f != nil {
			p.report(rule, f)
		}
	}
}

// learn lets a result take effect on what stands in for what.
func (q *question) learn(r *result) {
	e := r.of
	if !r.failed() {
		q.fill(e.tool)
		for _, w := range e.walks {
			if w.come.may(succeeded) {
				q.fill(w.tool)
			}
		}
		return
	}
	q.failing = true
	if r.real() {
		q.failed[e.wish]++
	}
	if e.misfit != "" {
		return // the model's own slip, which it may mend as it likes
	}
	q.tried[e.tool] = true
	for _, g := range q.over(e.tool) {
		g.filled = false
	}
	for _, g := range q.gaps {
		g.left = slices.DeleteFunc(g.left, func(name string) bool { return name == e.tool })
	}
	if q.gaps[e.tool] == nil && r.real() {
		q.gaps[e.tool] = &gap{since: r.request.sent.N, left: slices.DeleteFunc(slices.Clone(q.chains[e.tool]), e.walkedTo)}
	}
}

// fill closes the gaps that a tool fills when it succeeds.
func (q *question) fill(tool string) {
	for failed := range q.gaps {
		if failed == tool || slices.Contains(q.chains[failed], tool) {
			delete(q.gaps, failed)
		}
	}
}

// walkedTo tells whether a tool was tried in its place.
func (e *errand) walkedTo(tool string) bool {
	return slices.ContainsFunc(e.walks, func(w *errand) bool { return w.tool == tool })
}
