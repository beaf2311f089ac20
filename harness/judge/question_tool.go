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
		for _, g := range q.over(tool.Name) {
			g.filled = true
		}
	}
}

// errandOf is what a call of a tool belongs to: the newest errand that an answer
// asks for and that is not over, else one that takes the place of others, else
// one that is over, else one that nothing asked for.
func (q *question) errandOf(w wish) *errand {
	e := q.asked[w]
	for e != nil && e.by != nil && e.by.dropped && len(e.sends) == 0 {
		e = e.elder
		q.asked[w] = e
	}
	if e != nil && e.closed == nil && e.by != nil {
		if len(q.chains) > 0 {
			e.standIn(q.places(w.tool, false)) // it may be asked for, and be tried in another's place too
		}
		return e
	}
	if places := q.places(w.tool, true); len(places) > 0 {
		return walk(w, places)
	}
	if e == nil {
		e = newErrand(w)
		q.asked[w] = e
	}
	return e
}

// recentErrands bounds the errands in whose place a call may stand.
const recentErrands = 64

// places are the errands in whose place a tool may be called unasked: those that
// have, or may have, failed and whose result the model was not told. If none has,
// any says whether it is the newest in whose place it may stand at all.
func (q *question) places(tool string, any bool) []*errand {
	var all []*errand
	var none *errand
	for n := len(q.errands) - 1; n >= 0 && n >= len(q.errands)-recentErrands; n-- {
		e := q.errands[n]
		switch {
		case e.by.dropped, e.closed != nil || !slices.Contains(q.chains[e.tool], tool):
		case len(e.sends) > 0 && e.last != succeeded, e.misfit != "", q.failed[e.wish] > 0:
			all = append(all, e)
		case none == nil:
			none = e
		}
	}
	if len(all) == 0 && none != nil && any {
		return []*errand{none}
	}
	return all
}
