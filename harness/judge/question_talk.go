package judge

import (
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// talk is a conversation as one request to the model carries it.
type talk struct {
	messages []history.Message
	cut      bool      // there are more before them
	carried  []*answer // answers of the model, in order
	at       []int     // their places
	prompt   string    // digest of the first message of a person
	forgot   bool      // the task's prompt is not in it
}

// newest is the newest answer that it carries, or nil.
func (t *talk) newest() *answer {
	if n := len(t.carried); n > 0 {
		return t.carried[n-1]
	}
	return nil
}

// maxCompared bounds the answers that a conversation is compared with: those
// that a record can show, and as many that were not taken.
const maxCompared = 512

// align finds the model's answers in a conversation.
func (q *question) align(chat *history.Chat) *talk {
	t := &talk{messages: chat.Messages, cut: chat.Count > len(chat.Messages), forgot: q.prompt != ""}
	known := q.answers[max(0, len(q.answers)-maxCompared):]
	for i := len(t.messages) - 1; i >= 0; i-- {
		switch m := &t.messages[i]; m.Role {
		case "user":
			t.prompt = m.Digest
			t.forgot = t.forgot && m.Digest != q.prompt
		case "assistant":
			for n := len(known) - 1; n >= 0; n-- {
				if known[n].is(m) {
					t.carried, t.at = append(t.carried, known[n]), append(t.at, i)
					known = known[:n]
					break
				}
			}
		}
	}
	slices.Reverse(t.carried)
	slices.Reverse(t.at)
	t.forgot = t.forgot && !t.cut
	return t
}

// aside tells whether a request is about something else than the task, such as a
// summary: nothing in it is of the task's conversation.
func (t *talk) aside() bool {
	if !t.forgot || len(t.carried) > 0 {
		return false
	}
	for i := range t.messages {
		if m := &t.messages[i]; m.Role == "tool" || len(m.Calls) > 0 {
			return false
		}
	}
	return true
}

// carry is what the conversation carries from now on.
func (q *question) carry(t *talk) []*answer {
	if !t.cut || len(t.carried) == 0 {
		return t.carried
	}
	older := q.entered
	for n := len(older); n > 0 && older[n-1].n >= t.carried[0].n; n-- {
		older = older[:n-1]
	}
	return append(older, t.carried...)
}

// pass notes which answers were dropped: the conversation carries a later one,
// and not them.
func (q *question) pass(t *talk) {
	newest := t.newest()
	if newest == nil || newest.n < q.passed {
		return
	}
	carried := map[*answer]bool{}
	for _, a := range t.carried {
		carried[a] = true
	}
	for _, a := range q.answers[q.passed:newest.n] {
		a.dropped = !carried[a]
	}
	q.passed = newest.n + 1
}

// missing are the answers that a conversation should carry and does not: those
// that it has carried before, and the last one if its worker must have kept it;
// unsure whether it had that one yet.
func (p *replay) missing(q *question, c *call, t *talk) (lost []*answer, unsure bool) {
	if q.crowded {
		return nil, false
	}
	carried := map[*answer]bool{}
	for _, a := range t.carried {
		carried[a] = true
	}
	for n := len(q.entered) - 1; n >= 0 && n >= len(q.entered)-maxCompared; n-- {
		a := q.entered[n]
		if t.cut && (len(t.carried) == 0 || a.n < t.carried[0].n) {
			break // it may stand before what the record shows
		}
		if !carried[a] {
			lost = append(lost, a)
		}
	}
	last := q.latest()
	if last == nil || !last.sure || carried[last] || slices.Contains(lost, last) {
		return lost, false
	}
	given := p.earlier(last.call, c)
	if given == no || last.call.by != c.by && !p.actedOn(last) {
		return lost, false
	}
	return append(lost, last), given != yes && len(lost) == 0
}

// actedOn tells whether a tool's success that an answer led to must have been
// stored, and the answer with it.
func (p *replay) actedOn(a *answer) bool {
	for _, e := range a.errands {
		for _, c := range e.served[:min(len(e.served), maxRecords)] {
			if p.stored(c) {
				return true
			}
		}
	}
	return false
}
