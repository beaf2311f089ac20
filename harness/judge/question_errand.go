package judge

import (
	"slices"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// errand is one thing to be got, in as many attempts as it takes: a call of a
// tool that an answer asks for, or a turn of one model.
type errand struct {
	wish            // of a model its name and nothing
	ids    []string // of the calls that ask for it; none: nothing asks for it
	by     *answer  // that asks for it
	turn   *turn    // of a model
	misfit string   // how the arguments fail the tool's schema
	elder  *errand  // the one before it with the same tool and arguments

	walked []*errand // the errands in whose place it may be tried, unasked
	walks  []*errand // what was tried in its place, unasked

	sends   []*call
	visible int           // of them those that are no transport resends
	made    map[*work]int // of those, by worker
	come    outcomes      // what the attempts may have come to
	last    outcomes      // and the last of them
	served  []*call       // those that surely succeeded

	told   map[string]*history.Message // what the model was told, by id
	closed *call                       // the request that told the last of it; nil: not all is told
}

func newErrand(w wish) *errand {
	return &errand{wish: w, made: map[*work]int{}, told: map[string]*history.Message{}}
}

// String names it for people.
func (e *errand) String() string {
	if e.turn != nil {
		return "model " + e.tool
	}
	return e.tool
}

// times is how often it may be wanted at once: by calls that ask for it, and in
// the place of others.
func (e *errand) times() int {
	n := len(e.ids)
	for _, of := range e.walked {
		n += max(1, len(of.ids))
	}
	return max(1, n)
}

// unasked tells whether nothing asks for it, and it takes no other's place.
func (e *errand) unasked() bool { return e.turn == nil && e.by == nil && len(e.walked) == 0 }

// allFailed tells whether no attempt at it, nor at what was tried in its place,
// can have succeeded.
func (e *errand) allFailed() bool {
	for _, w := range e.walks {
		if w.come.may(succeeded) {
			return false
		}
	}
	return !e.come.may(succeeded)
}

// maxWalks bounds what is tried in the place of one errand.
const maxWalks = 64

// walk is the errand that takes the place of others: which of them it was tried
// for the wire does not show.
func walk(w wish, places []*errand) *errand {
	var own *errand
	for _, e := range places {
		for _, known := range e.walks {
			if known.wish == w {
				own = known
			}
		}
	}
	if own == nil {
		own = newErrand(w)
	}
	own.standIn(places)
	return own
}

// standIn notes in whose place an errand may be tried.
func (e *errand) standIn(places []*errand) {
	for _, of := range places {
		if of != e && !slices.Contains(of.walks, e) && len(of.walks) < maxWalks {
			of.walks, e.walked = append(of.walks, e), append(e.walked, of)
		}
	}
}

// attempt is one call of a tool or of a model.
type attempt struct {
	q    *question
	call *call
	of   *errand
	prev *call // the attempt of the same worker before it, if nobody else made one since
	was  outcomes
	// n counts the attempts that can be seen, with this one, and own those of this worker.
	n, own int
	// Of a request to the model: the answers that it should carry and does not, whether it carries what the
	// one before it did, and whether it does not carry the prompt.
	lost   []*answer
	unsure bool // whether it must have known of them
	same   bool
	forgot bool
	side   bool // it is about something else than the task
}

// attempt is a call as an attempt at an errand.
func (p *replay) attempt(q *question, e *errand, c *call) *attempt {
	a := &attempt{q: q, call: c, of: e, n: e.visible, own: e.made[c.by]}
	if n := len(e.sends); n > 0 && e.sends[n-1].by == c.by {
		a.prev, a.was = e.sends[n-1], e.last
	}
	c.resend = transportResend(a.prev, c, p.limits.BackoffBase)
	if !c.resend {
		a.n++
		a.own++
	}
	return a
}

// instants are those on whose order an attempt is judged: of the attempts with it.
func (a *attempt) instants() []time.Duration {
	all := []time.Duration{a.call.first()}
	for n := len(a.of.sends) - 1; n >= 0 && len(all) < 8; n-- {
		all = append(all, a.of.sends[n].first())
	}
	return all
}

// attempted hands an attempt to the rules.
func (p *replay) attempted(a *attempt) {
	p.coverage.met(p.questionRow(a.call.by, a.call.first()))
	for _, r := range rules {
		if r.attempt == nil {
			continue
		}
		if f := r.attempt(p, a); f != nil {
			f.Uncertain = f.Uncertain || p.starvedAt(a.instants()...) // the gate may have heard of the attempts in another order, or not of all
			p.report(r, f)
		}
	}
}

// count lets an attempt take effect.
func (p *replay) count(a *attempt) {
	e, c := a.of, a.call
	e.sends = append(e.sends, c)
	e.visible, e.made[c.by] = a.n, a.own
	e.last = p.outcome(c)
	e.come |= e.last
	if e.last == succeeded {
		e.served = append(e.served, c)
	} else {
		a.q.failing = true
	}
}

// stored tells whether the worker of an attempt that succeeded must have stored
// that: its process may have been killed just afterwards.
func (p *replay) stored(c *call) bool {
	pr := c.by.process
	return pr.kill == nil || pr.kill.At-p.index.readable(c) > p.reaction(pr.kill.At)
}

// earlier tells whether the reply to an attempt had been given when another
// left. The gate's order of two connections may not be the client's.
func (p *replay) earlier(c, next *call) tri {
	switch given := c.passed; {
	case given == nil || given.N > next.sent.N:
		return no
	case c.conn == next.conn, c.conn.client != nil && c.conn.client.N < next.sent.N, given.At+p.blur(given.At, next.first()) < next.first():
		return yes
	}
	return maybe
}

// finished tells whether the errand had succeeded as often as it was asked for
// when an attempt left, and its worker must know.
func (p *replay) finished(a *attempt) tri {
	var n tally
	for _, c := range a.of.served[:min(len(a.of.served), maxRecords)] {
		if c.by == a.call.by || p.stored(c) {
			n[p.earlier(c, a.call)]++
		}
	}
	switch times := a.of.times(); {
	case n[yes] >= times:
		return yes
	case n[yes]+n[maybe] >= times:
		return maybe
	}
	return no
}

// over tells whether the model had been told the result when an attempt left.
func (p *replay) over(a *attempt) tri {
	switch told := a.of.closed; {
	case told == nil:
		return no
	case told.first()+p.blur(told.first(), a.call.first()) < a.call.first():
		return yes
	}
	return maybe
}
