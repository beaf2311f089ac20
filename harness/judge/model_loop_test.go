package judge_test

import (
	"fmt"
	"slices"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// asker is one process that answers the question. It knows the rules by heart.
type asker struct {
	w       *quiz
	id      string
	host    *host
	stopped bool
	told    signal
	steps   int // of a slip that is made at the first
}

// listen is the thread of the inbox.
func (a *asker) listen(t *thread) {
	w := a.w
	for w.disk.result == "" && !a.stopped {
		t.sleep(w.travel())
		if len(w.items) == 0 {
			t.await(&w.changed, 5*time.Second)
			continue
		}
		w.record(history.Record{Kind: history.ControlOffered, Task: "t-1", Work: a.id, Control: &history.Control{Item: 1}})
		t.sleep(w.travel())
		a.stopped = true
		a.told.fire()
		t.sleep(w.travel())
		w.record(history.Record{Kind: history.ControlAcked, Task: "t-1", Work: a.id, Control: &history.Control{Item: 1}})
	}
}

// run makes steps until there is a result.
func (a *asker) run(t *thread) {
	d := &a.w.disk
	for d.result == "" {
		if a.tempted(t) {
			return
		}
		last := d.talk[len(d.talk)-1]
		switch open := a.pending(); {
		case a.stopped:
			a.refer(t)
		case d.brokenBy != "":
			a.refer(t)
		case len(open) > 0:
			a.carryOut(t, open)
		case last.Role == "assistant" && len(last.Calls) == 0:
			a.conclude(t)
		case d.turns >= a.w.limits.MaxSteps, d.model >= len(declaredModels):
			a.refer(t)
		default:
			a.ask(t)
		}
	}
}

// pending are the calls of the last answer without a tool message.
func (a *asker) pending() []history.ToolCall {
	d := &a.w.disk
	for n := len(d.talk) - 1; n >= 0; n-- {
		if d.talk[n].Role == "assistant" {
			return slices.DeleteFunc(slices.Clone(d.talk[n].Calls), func(c history.ToolCall) bool { return d.answered[c.ID] })
		}
	}
	return nil
}

// fault is what failed.
type fault struct {
	name      string
	retryable bool
	attempts  int
	wait      time.Duration
}

// try is the retry policy: nil for a success.
func (a *asker) try(t *thread, errand, op string, f history.Facts) (reply, *fault) {
	w, d := a.w, &a.w.disk
	for {
		if wait := d.next[errand] - w.now; wait > 0 && !a.ignores("wait", errand) {
			t.await(&a.told, wait)
			if !a.stopped && w.now < d.next[errand] {
				continue
			}
		}
		if a.stopped {
			return reply{}, &fault{name: "Stopped"}
		}
		d.tries[errand]++
		n := d.tries[errand]
		d.next[errand] = w.now + a.backoff(n)
		if w.dice.chance(20) {
			t.sleep(w.travel()) // a kill may strike here
		}
		r := a.call(t, op, f)
		d.next[errand] = r.end + a.backoff(n)
		fail := a.diagnose(r, n)
		if fail == nil {
			return r, nil
		}
		d.lastErr = fail.name
		a.heard(errand, fail)
		switch {
		case !fail.retryable && !a.ignores("permanent", errand), fail.wait > w.limits.BackoffMax:
			return r, fail
		case fail.retryable && n >= w.limits.MaxAttempts && !a.ignores("budget", errand), fail.retryable && a.ignores("retry", errand):
			return r, fail
		}
		d.next[errand] = max(d.next[errand], r.end+fail.wait+time.Microsecond)
	}
}

func (a *asker) backoff(n int) time.Duration {
	step := min(a.w.limits.BackoffBase<<(min(n, 10)-1), a.w.limits.BackoffMax)
	return a.w.dice.span(step/2, step) + time.Microsecond
}

// diagnose tells what failed, nil if nothing did.
func (a *asker) diagnose(r reply, n int) *fault {
	switch {
	case r.failed:
		return &fault{name: "Timeout", retryable: true, attempts: n}
	case r.status == 429:
		return &fault{name: "RateLimited", retryable: true, attempts: n, wait: r.wait}
	case r.status >= 500:
		return &fault{name: "ServerError", retryable: true, attempts: n, wait: r.wait}
	case r.status >= 300:
		return &fault{name: "Refused", attempts: n}
	}
	if chat := r.facts.Chat; chat != nil {
		m := chat.Messages[0]
		if m.Empty && len(m.Calls) == 0 || chat.Finish == "" && !a.w.design.hasty {
			return &fault{name: "Unreadable", retryable: true, attempts: n}
		}
	}
	return nil
}

// ask lets the first model speak that can.
func (a *asker) ask(t *thread) {
	w, d := a.w, &a.w.disk
	for ; d.model < len(declaredModels); d.model++ {
		name := declaredModels[d.model]
		talk := slices.Clone(d.talk)
		if w.design.notes {
			talk = append(talk, said("system", fmt.Sprint("turn ", d.turns)))
		}
		talk = a.spoil(talk)
		r, failed := a.try(t, fmt.Sprint("turn ", d.turns, name), "model.chat", history.Facts{Chat: &history.Chat{
			Model: name, Stream: w.design.streams, Count: len(talk), Messages: talk,
		}})
		if a.stopped {
			return
		}
		if failed == nil {
			d.talk = append(slices.Clone(d.talk), r.facts.Chat.Messages[0])
			d.turns++
			if w.design.returns {
				d.model = 0
			}
			return
		}
	}
}

// carryOut makes the calls that the model asks for.
func (a *asker) carryOut(t *thread, open []history.ToolCall) {
	w, d := a.w, &a.w.disk
	if w.design.parallel && len(open) > 1 {
		left := len(open)
		var done signal
		for _, c := range open {
			w.spawn(a.host, func(own *thread) {
				a.one(own, c)
				left--
				done.fire()
			})
		}
		for left > 0 && !a.stopped {
			t.await(&done, time.Second)
		}
		for left > 0 {
			t.await(&done, time.Second)
		}
	} else {
		for _, c := range open {
			if !a.stopped {
				a.one(t, c)
			}
		}
	}
	if a.stopped {
		return
	}
	talk := slices.Clone(d.talk)
	for _, c := range open {
		m, is := d.results[c.ID]
		if !is {
			return
		}
		talk = append(talk, a.spoilt(m)...)
		d.answered[c.ID] = true
	}
	d.talk = talk
}

// one carries out one call and stores what came of it.
func (a *asker) one(t *thread, c history.ToolCall) {
	d := &a.w.disk
	if _, is := d.results[c.ID]; is {
		return
	}
	m := said("tool", "found it")
	failed := a.layer(t, c)
	if a.stopped {
		return
	}
	if failed != nil {
		m = said("tool", fmt.Sprintf(`{"error":%q,"retryable":%t,"attempts":%d}`, failed.name, failed.retryable, failed.attempts))
		m.Failed = &history.Failure{Error: failed.name, Message: true, Retryable: &failed.retryable, Attempts: &failed.attempts}
		if failed.attempts > 0 || c.Misfit != "" {
			key := c.Name + c.Arguments
			if d.failures[key]++; d.failures[key] >= a.w.limits.BreakerThreshold {
				d.brokenBy = key
			}
		}
		d.lastErr = failed.name
	}
	m.CallID = c.ID
	m.Digest += c.ID
	d.results[c.ID] = m
}

// layer is the tool layer: nil for a success.
func (a *asker) layer(t *thread, c history.ToolCall) *fault {
	d := &a.w.disk
	switch {
	case !offered(c.Name):
		return &fault{name: "NotDeclared"}
	case c.Misfit != "" && !a.ignores("misfit", c.ID):
		return &fault{name: "BadArguments"}
	case a.barred(c) && !a.ignores("barred", c.ID):
		return &fault{name: "NotDeclared"}
	case a.w.design.remembers && d.failures[c.Name+c.Arguments] > 0:
		return &fault{name: "CircuitOpen"}
	}
	failed := a.use(t, c.ID, c.Name, c.Arguments)
	if failed == nil || a.stopped {
		return failed
	}
	if a.w.design.walks {
		for _, next := range chains[c.Name] {
			if a.gone(c.Name, next) {
				continue
			}
			if a.use(t, c.ID+next, next, c.Arguments) == nil || a.stopped {
				return nil
			}
		}
	}
	return failed
}

func (a *asker) gone(tool, next string) bool {
	for _, h := range a.w.disk.gaps {
		if h.tool == tool && slices.Contains(h.gone, next) {
			return true
		}
	}
	return false
}

// use calls a tool by the retry policy, and notes what stands in for what.
func (a *asker) use(t *thread, errand, tool, arguments string) *fault {
	f := history.Facts{Tool: &history.Tool{Name: tool, Arguments: arguments}}
	if arguments == "!" {
		f.Tool.Misfit = "at /q: missing"
	}
	if tool == "issue_refund" { // every call pays, unless it is known to be the same
		f.Key = tool + arguments
	}
	_, failed := a.try(t, errand, "knowledge."+tool, f)
	if a.stopped {
		return failed
	}
	d := &a.w.disk
	if failed == nil {
		d.served = append(d.served, tool)
		d.gaps = slices.DeleteFunc(d.gaps, func(h hole) bool { return h.tool == tool || slices.Contains(chains[h.tool], tool) })
		return nil
	}
	d.failed = append(d.failed, tool)
	known := false
	for n := range d.gaps {
		h := &d.gaps[n]
		known = known || h.tool == tool
		if slices.Contains(chains[h.tool], tool) {
			h.gone = append(slices.Clone(h.gone), tool)
		}
	}
	if !known {
		d.gaps = append(d.gaps, hole{tool: tool, turn: d.turns})
	}
	return failed
}

// barred tells whether a call would be a way around a failed tool.
func (a *asker) barred(c history.ToolCall) bool {
	for _, h := range a.w.disk.gaps {
		if h.turn == a.w.disk.turns || c.Name == h.tool {
			continue
		}
		left := slices.DeleteFunc(slices.Clone(chains[h.tool]), func(name string) bool { return slices.Contains(h.gone, name) })
		write := c.Name == "delete_record" || c.Name == "issue_refund"
		switch {
		case slices.Contains(h.gone, c.Name), len(left) > 0 && left[0] == c.Name:
		case len(left) > 0, write, a.w.design.strict:
			return true
		}
	}
	return false
}

// conclude ends with the model's answer, and says what it rests on.
func (a *asker) conclude(t *thread) {
	w, d := a.w, &a.w.disk
	c := &history.Control{State: "answered", Output: "30 days"}
	for _, tool := range d.served {
		if !slices.Contains(c.Sources, tool) {
			c.Sources = append(c.Sources, tool)
		}
	}
	for _, tool := range []string{"kb_cache", "search_web"} {
		if slices.Contains(c.Sources, tool) {
			c.Disclosures = append(c.Disclosures, tool+": may be stale")
		}
	}
	for _, tool := range d.failed {
		if !slices.Contains(d.served, tool) {
			c.Disclosures = append(c.Disclosures, tool+": failed")
		}
	}
	a.embellish(c)
	t.sleep(w.travel())
	a.post(c)
}

func (a *asker) post(c *history.Control) {
	d := &a.w.disk
	if d.result != "" {
		return
	}
	d.result = c.State
	if a.w.sin != nil && a.w.sin.late && a.w.breaking {
		a.w.void = true // it never came to show
	}
	a.w.breaks()
	a.w.record(history.Record{Kind: history.ControlResult, Task: "t-1", Work: a.id, Control: c})
	a.w.after(800*time.Millisecond, func() { a.w.ended = true })
}

// refer hands the question to a person, and ends it so.
func (a *asker) refer(t *thread) {
	w := a.w
	b := history.Brief{Task: "t-1", LastError: "stopped: " + w.disk.lastErr, Missing: []string{"original.key"}}
	key := a.brief(t, &b)
	for try := 0; ; try++ {
		r := a.call(t, "desk.escalate", history.Facts{Key: key, Escalation: &b})
		if !r.failed || try > 5 {
			break
		}
		t.sleep(a.backoff(try + 1))
	}
	t.sleep(w.travel())
	a.post(&history.Control{State: "escalated"})
}

// call makes one attempt of one call.
func (a *asker) call(t *thread, op string, f history.Facts) reply {
	w := a.w
	timeout := w.design.timeout
	if w.sin != nil && w.sin.hangs && !w.sinned {
		timeout = longest / 3
	}
	if w.sin == nil || !w.sin.late || op == "model.chat" {
		w.breaks()
	}
	r := w.gate.call(t, a.id, request{op: op, facts: f, task: "t-1"}, timeout, w.design.keep)
	if lasted := r.end - r.begun; timeout == longest/3 && lasted > 750*time.Millisecond {
		w.sinned, w.breaking, w.void = true, true, lasted < 850*time.Millisecond
		w.breaks()
		t.sleep(longest)
	}
	return r
}
