package judge

import (
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// converses takes in a request to the model.
func (p *replay) converses(q *question, c *call) {
	chat := c.stated().Chat
	t := q.align(chat)
	if t.aside() {
		c.aside = true
		p.attempted(&attempt{q: q, call: c, of: &errand{wish: wish{tool: chat.Model}, turn: &turn{}}, side: true})
		return
	}
	if q.prompt == "" {
		q.prompt = t.prompt
	}
	lost, unsure := p.missing(q, c, t)
	for _, a := range lost {
		a.sure = false // it is said once
	}
	p.hears(q, c, t)
	q.entered = q.carry(t)
	q.pass(t)
	if newest := t.newest(); q.turn == nil || q.turn.after != newest {
		q.turn = &turn{after: newest, number: len(q.entered) + 1}
	}
	e := q.turn.of(chat.Model)
	fresh := e == nil
	if fresh {
		e = newErrand(wish{tool: chat.Model})
		e.turn = q.turn
	}
	a := p.attempt(q, e, c)
	a.lost, a.unsure, a.forgot, a.same = lost, unsure, t.forgot, q.request != nil && alike(q.request, c)
	p.attempted(a)
	if fresh {
		q.turn.models = append(q.turn.models, e)
		q.reached = max(q.reached, slices.Index(q.models, chat.Model))
	}
	p.count(a)
	q.request = c
	c.by.act(c.sent)
}

// alike tells whether two requests carry the same conversation, whatever the
// agent's own notes in it are.
func alike(a, b *call) bool {
	n, last := turnsOf(a.stated().Chat)
	m, other := turnsOf(b.stated().Chat)
	return n == m && last == other
}

// turnsOf are how many messages that are no notes of the agent's own a request
// carries, and the digest of the last.
func turnsOf(chat *history.Chat) (n int, last string) {
	n = chat.Count - len(chat.Messages)
	for i := range chat.Messages {
		if m := &chat.Messages[i]; m.Role != "system" && m.Role != "developer" {
			n, last = n+1, m.Digest
		}
	}
	return n, last
}

// speaks takes in that the model's reply is at the gate: of one that flows the
// agent may act on a part.
func (p *replay) speaks(r *history.Record) {
	c := p.index.calls[r.Call]
	if c == nil || c.by == nil || c.by.task.question == nil || c.heard || c.stated().Chat == nil {
		return
	}
	c.heard = true
	q, how := c.by.task.question, p.outcome(c)
	chat := c.said().Chat
	if !how.may(succeeded) || chat == nil || len(chat.Messages) == 0 {
		return
	}
	a := &answer{call: c, says: &chat.Messages[0], n: len(q.answers), sure: how == succeeded && !c.aside, errands: map[string]*errand{}}
	q.answers = append(q.answers, a)
	own := map[wish]*errand{}
	for _, ask := range a.says.Calls {
		w := wish{ask.Name, ask.Arguments}
		e := own[w]
		if e == nil {
			e = newErrand(w)
			e.by, e.misfit, e.elder = a, ask.Misfit, q.asked[w]
			own[w], q.asked[w] = e, e
			q.errands = append(q.errands, e)
		}
		e.ids = append(e.ids, ask.ID)
		a.errands[ask.ID] = e
	}
}
