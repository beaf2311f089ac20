package judge

import "slices"

// inquires takes in a call of a question's worker.
func (p *replay) inquires(c *call) {
	q := c.by.task.question
	q.crowded = q.crowded || c.by.beside() > 0
	switch f := c.stated(); {
	case c.op.Service == "desk":
		p.refers(q, c)
	case f.Malformed && !c.sent.Wire.Whole:
		q.task.refused = true // it was cut on its way: an attempt, and nothing tells at what
	case f.Chat != nil:
		p.converses(q, c)
	case f.Tool != nil:
		p.uses(q, c)
	}
}

// uses takes in a call of a tool.
func (p *replay) uses(q *question, c *call) {
	tool := c.stated().Tool
	e := q.errandOf(wish{tool.Name, tool.Arguments})
	a := p.attempt(q, e, c)
	p.attempted(a)
	p.count(a)
	q.tried[tool.Name] = true
	if e.last.may(succeeded) {
		q.served[tool.Name]++
	}
}

// errandOf is what a call of a tool belongs to: the newest errand that an answer
// asks for and that is not over, else one in whose place it stands, else one that
// is over, else one that nothing asked for.
func (q *question) errandOf(w wish) *errand {
	e := q.asked[w]
	if e != nil && e.closed == nil {
		return e
	}
	if of := q.instead(w.tool); of != nil {
		return of.walk(w)
	}
	if e == nil {
		e = newErrand(w)
		q.asked[w] = e
	}
	return e
}

// recentErrands bounds the errands in whose place a call may stand.
const recentErrands = 64

// instead is the errand in whose place a tool may be called unasked: one whose
// result the model was not told.
func (q *question) instead(tool string) *errand {
	for n := len(q.errands) - 1; n >= 0 && n >= len(q.errands)-recentErrands; n-- {
		if e := q.errands[n]; e.closed == nil && slices.Contains(q.chains[e.tool], tool) {
			return e
		}
	}
	return nil
}
