package judge_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// ignoring is a slip where a rule of the loop would decide.
func ignoring(what string, when func(a *asker, errand string) bool) func(*asker, string, string) bool {
	return func(a *asker, this, errand string) bool { return this == what && !a.w.stopped && when(a, errand) }
}

func once(a *asker, errand string) bool { return a.only(errand) }

// failing changes the tool message of a call that was tried and failed.
func failing(change func(m *history.Message)) func(*asker, history.Message) []history.Message {
	return func(a *asker, m history.Message) []history.Message {
		if m.Failed == nil || *m.Failed.Attempts == 0 || a.w.disk.failures[a.key(m.CallID)] > 1 {
			return nil
		}
		f := *m.Failed
		m.Failed = &f
		change(&m)
		return []history.Message{m}
	}
}

// key is the tool and the arguments of a call.
func (a *asker) key(id string) string {
	c, _ := a.wish(id)
	return c.Name + c.Arguments
}

// stubborn is a model that asks for the same again, of tools that refuse.
func stubborn(w *quiz) {
	w.minds.odd, w.minds.stubborn, w.minds.steps, w.limits.MaxSteps = 0, true, 6, 20
	w.gate.faults, w.minds.faults = 0, 0
}

var slips = []slip{
	{name: "an earlier turn forgotten", want: []string{"transcript-lost"}, spoil: func(a *asker, talk []history.Message) []history.Message {
		var turns []int
		for n, m := range talk {
			if m.Role == "assistant" {
				turns = append(turns, n)
			}
		}
		if len(turns) < 2 {
			return talk
		}
		return slices.Delete(slices.Clone(talk), turns[0], turns[1])
	}},
	{name: "the question forgotten", want: []string{"transcript-lost"}, spoil: func(a *asker, talk []history.Message) []history.Message {
		if len(talk) < 4 {
			return talk
		}
		return slices.Delete(slices.Clone(talk), 1, 2)
	}},
	{name: "a tool message left out", want: []string{"tool-result-missing"}, late: true, spoilt: func(*asker, history.Message) []history.Message {
		return []history.Message{{}}
	}},
	{name: "two tool messages", want: []string{"tool-result-missing"}, late: true, spoilt: func(_ *asker, m history.Message) []history.Message {
		return []history.Message{m, m}
	}},
	{name: "nothing said of a failure", want: []string{"error-silent"}, late: true, spoilt: failing(func(m *history.Message) {
		m.Failed, m.Text, m.Empty = nil, "", true
	})},
	{name: "a failure told as a text", want: []string{"error-unstructured"}, late: true, spoilt: failing(func(m *history.Message) { m.Failed = nil })},
	{name: "a failure told without the attempts", want: []string{"error-unstructured"}, late: true, spoilt: failing(func(m *history.Message) { m.Failed.Attempts = nil })},
	{name: "attempts made up", want: []string{"attempts-misreported"}, late: true, spoilt: failing(func(m *history.Message) {
		n := *m.Failed.Attempts + 3
		m.Failed.Attempts = &n
	})},
	{name: "the class turned round", want: []string{"retryable-misreported"}, late: true, spoilt: failing(func(m *history.Message) {
		is := !*m.Failed.Retryable
		m.Failed.Retryable = &is
	})},
	{name: "a malformed call sent", want: []string{"malformed-call-sent"}, prepare: func(w *quiz) { w.minds.odd = 60 }, ignore: ignoring("misfit", func(a *asker, id string) bool {
		c, _ := a.wish(id)
		return !a.barred(c)
	})},
	{name: "a way around taken", want: []string{"fallback-improvised", "fallback-out-of-order"}, ignore: ignoring("barred", func(a *asker, id string) bool {
		c, _ := a.wish(id)
		for _, tool := range a.w.disk.served {
			if len(a.w.disk.gaps) == 1 && (tool == a.w.disk.gaps[0].tool || slices.Contains(chains[a.w.disk.gaps[0].tool], tool)) {
				return false
			}
		}
		return len(a.w.disk.gaps) == 1 && c.Misfit == "" && a.w.disk.failures[c.Name+c.Arguments] == 0
	})},
	{name: "one attempt too many", want: []string{"attempts-exceeded"}, ignore: ignoring("budget", once)},
	{name: "a refusal tried again", want: []string{"permanent-retried"}, ignore: ignoring("permanent", func(a *asker, errand string) bool {
		return a.only(errand) && a.w.disk.tries[errand] < a.w.limits.MaxAttempts
	})},
	{name: "no wait", want: []string{"backoff-flat"}, ignore: ignoring("wait", func(a *asker, errand string) bool {
		d := a.w.disk
		return a.only(errand) && d.tries[errand] > 0 && d.waits[errand] == 0 && d.next[errand]-a.w.now > 11*time.Millisecond && a.w.now < d.next[errand]-a.backoffOf(d.tries[errand])+8*time.Millisecond
	})},
	{name: "a wait that was asked for left out", want: []string{"retry-after-ignored"}, ignore: ignoring("wait", func(a *asker, errand string) bool {
		d := a.w.disk
		return a.only(errand) && d.tries[errand] > 0 && d.waits[errand] > 20*time.Millisecond && d.next[errand]-a.w.now > 10*time.Millisecond
	})},
	{name: "given up after one attempt", want: []string{"transient-not-retried"}, late: true, ignore: ignoring("retry", func(a *asker, errand string) bool {
		d := a.w.disk
		return a.only(errand) && !a.w.stopped && !strings.HasPrefix(errand, "turn ") && d.tries[errand] == 1 && d.lastErr != "Refused" &&
			d.waits[errand] < a.w.limits.BackoffMax && d.failures[a.key(errand)] == 0
	})},
	{name: "a call after the stop", want: []string{"own-stop-ignored"}, step: func(a *asker, t *thread) bool {
		if !a.stopped {
			return false
		}
		open := a.pending()
		if len(open) == 0 || !offered(open[0].Name) || open[0].Misfit != "" || a.barred(open[0]) || a.w.disk.tries[open[0].ID] > 0 {
			return false
		}
		t.sleep(700 * time.Millisecond)
		return a.does(t, open[0])
	}, prepare: func(w *quiz) { w.stops = true }},
	{name: "one turn too many", want: []string{"own-stop-ignored"}, prepare: func(w *quiz) { w.limits.MaxSteps = 3 }, step: func(a *asker, t *thread) bool {
		if d := &a.w.disk; d.turns < a.w.limits.MaxSteps || len(a.pending()) > 0 || a.w.stopped || a.ends() || d.brokenBy != "" {
			return false
		}
		a.slipped(true)
		a.ask(t)
		t.sleep(longest)
		return true
	}},
	{name: "a broken call made again", want: []string{"breaker-not-opened"}, prepare: stubborn, step: func(a *asker, t *thread) bool {
		d := &a.w.disk
		if d.brokenBy == "" || a.w.stopped || d.model >= len(declaredModels) || len(a.pending()) > 0 {
			return false
		}
		last := d.talk[len(d.talk)-1]
		c, _ := a.wish(last.CallID)
		if last.Role != "tool" || c.Misfit != "" || c.Name+c.Arguments != d.brokenBy {
			return false
		}
		a.ask(t)
		return a.does(t, c)
	}},
	{name: "nobody told of an open breaker", want: []string{"escalation-missing"}, prepare: stubborn, end: true, step: func(a *asker, t *thread) bool {
		d := &a.w.disk
		if d.brokenBy == "" || a.w.stopped || d.model >= len(declaredModels) || len(a.pending()) > 0 {
			return false
		}
		a.ask(t)
		if a.stopped {
			return false
		}
		a.slipped(true)
		t.sleep(40 * time.Millisecond)
		a.conclude(t)
		return true
	}},
	{name: "a failed call made again", want: []string{"identical-call-repeated"}, step: func(a *asker, t *thread) bool {
		c, is := a.again(true)
		if !is || !a.ends() || a.w.disk.failures[c.Name+c.Arguments] >= a.w.limits.BreakerThreshold {
			return false
		}
		return a.does(t, c)
	}},
	{name: "a finished step made again", want: []string{"finished-step-repeated"}, step: func(a *asker, t *thread) bool {
		c, is := a.again(false)
		if !is || !a.ends() {
			return false
		}
		return a.does(t, c)
	}},
	{name: "a turn made again", want: []string{"finished-step-repeated"}, prepare: func(w *quiz) { w.minds.faults = 0 }, step: func(a *asker, t *thread) bool {
		d := &a.w.disk
		tries := 0
		for _, name := range declaredModels {
			tries = max(tries, d.tries[fmt.Sprint("turn ", d.turns-1, name)])
		}
		if len(a.pending()) == 0 || d.talk[len(d.talk)-1].Role != "assistant" || a.w.stopped || tries >= a.w.limits.MaxAttempts {
			return false
		}
		a.slipped(true)
		t.sleep(40 * time.Millisecond)
		d.talk = d.talk[:len(d.talk)-1]
		a.ask(t)
		t.sleep(longest)
		return true
	}},
	{name: "begun from zero after a kill", want: []string{"finished-step-repeated"}, kills: true, step: func(a *asker, t *thread) bool {
		d := &a.w.disk
		if !a.first() || len(a.w.askers) < 2 || d.turns < 2 || a.w.stopped || d.brokenBy != "" || a.carried() < 1 {
			return false
		}
		a.slipped(true)
		d.talk, d.model = d.talk[:2:2], 0
		a.ask(t)
		t.sleep(longest)
		return true
	}},
	{name: "a gap not disclosed", want: []string{"fallback-undisclosed", "fabricated-success"}, end: true, embellish: func(a *asker, c *history.Control) bool {
		for _, tool := range a.w.disk.failed {
			if !slices.Contains(a.w.disk.served, tool) {
				c.Disclosures = nil
				return true
			}
		}
		return false
	}},
	{name: "a source made up", want: []string{"fabricated-success"}, end: true, embellish: func(a *asker, c *history.Control) bool {
		if slices.Contains(a.w.disk.served, "kb_archive") {
			return false
		}
		c.Sources = append(c.Sources, "kb_archive")
		return true
	}},
	{name: "handed over twice", want: []string{"escalation-repeated"}, end: true, brief: func(a *asker, t *thread, b *history.Brief) bool {
		a.call(t, "desk.escalate", history.Facts{Key: "e-1", Escalation: b})
		return true
	}},
	{name: "handed over without a trace", want: []string{"escalation-incomplete"}, end: true, brief: func(_ *asker, _ *thread, b *history.Brief) bool {
		b.Missing = append(b.Missing, "trace")
		return true
	}},
	{name: "an attempt without a time-out", want: []string{"attempt-unbounded"}, hangs: true, prepare: func(w *quiz) { w.gate.faults = 50 }},
	{name: "no result", want: []string{"never-settled"}, end: true, step: func(a *asker, t *thread) bool {
		if !a.ends() {
			return false
		}
		a.slipped(true)
		t.sleep(longest)
		return true
	}},
	{name: "a crash", want: []string{"agent-crashed"}, end: true, step: func(a *asker, t *thread) bool {
		if a.w.disk.lastErr == "" {
			return false
		}
		a.slipped(true)
		a.w.record(history.Record{Kind: history.ProcessExited, Task: "t-1", Process: &history.Process{ID: a.host.id, Code: 1}})
		t.sleep(longest)
		return true
	}},
}

// carried are the answers of the model that a request was seen to carry.
func (a *asker) carried() int {
	most := 0
	for _, r := range a.w.log {
		if r.Kind != history.CallSent || r.Facts == nil || r.Facts.Chat == nil {
			continue
		}
		n := 0
		for _, m := range r.Facts.Chat.Messages {
			if m.Role == "assistant" {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// backoffOf is the least wait before attempt n+1.
func (a *asker) backoffOf(n int) time.Duration {
	return min(a.w.limits.BackoffBase<<(min(n, 10)-1), a.w.limits.BackoffMax) / 2
}
