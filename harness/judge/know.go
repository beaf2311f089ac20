package judge

import (
	"slices"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// pending is evidence that binds later: until then old and new standing are
// both possible.
type pending struct {
	at    time.Duration
	work  *work
	said  reading
	sends int // of the intent when the evidence arrived
}

// mind returns what a worker can know about an intent.
func (i *intent) mind(w *work) *mind {
	m := i.minds[w]
	if m == nil {
		set := bySendsAlone(i)
		m = &mind{set: set, stored: set, epoch: w.epoch}
		i.minds[w] = m
	}
	return m
}

// bySendsAlone is the standing of one that knows of the sends and of nothing
// that came back.
func bySendsAlone(i *intent) contract.Standings {
	if len(i.sends) > 0 {
		return contract.Standings(contract.InDoubt)
	}
	return contract.Standings(contract.Unsent)
}

// learn takes evidence in. It belongs to the worker that received it; a worker
// beside it is judged with and without it.
func (p *replay) learn(w *work, said reading, how delivery, at time.Duration, own bool) {
	if how == undelivered {
		return
	}
	sure := how == delivered && own
	for _, other := range w.task.active {
		if other != w {
			p.consider(other, said)
		}
	}
	m := said.about.mind(w)
	if sure {
		m.learn(w, m.after(said))
		m.notice(said, true)
	} else {
		p.consider(w, said)
		if how == delivered {
			p.later = append(p.later, pending{p.due(at), w, said, len(said.about.sends)})
		}
	}
	p.cover(said.about, w, at)
}

// due is when evidence that came at an instant binds. The queue stays in order:
// where the machine calms down, it binds as late as what came before.
func (p *replay) due(at time.Duration) time.Duration {
	due := at + p.reaction(at)
	if n := len(p.later); n > 0 {
		due = max(due, p.later[n-1].at)
	}
	return due
}

// consider takes evidence in that may or may not be known to a worker.
func (p *replay) consider(w *work, said reading) {
	m := said.about.mind(w)
	m.learn(w, m.set|m.after(said))
	m.notice(said, false)
}

// settle binds the evidence that is due by now. What says that nothing was executed binds only
// what had been sent by then.
func (p *replay) settle(now time.Duration) {
	n := 0
	for ; n < len(p.later) && p.later[n].at <= now; n++ {
		d := &p.later[n]
		m := d.said.about.mind(d.work)
		m.notice(d.said, true)
		if d.said.effect.lasting() || len(d.said.about.sends) == d.sends {
			m.learn(d.work, m.after(d.said))
		}
	}
	p.later = p.later[n:]
}

// act notes that a worker did something before which it must have stored what
// it knew.
func (w *work) act(r *history.Record) {
	w.epoch++
	w.storedN = r.N
	clear(w.unstored)
}

// maxActive bounds the works of one task whose knowledge is kept apart and up to
// date; of those beyond it the oldest is taken to learn nothing more from others.
const maxActive = 16

// inherit gives a new work of a task what it can know from those before it, and
// adds it to the active ones. It takes the place of those whose process is gone.
func (p *replay) inherit(w *work) {
	t := w.task
	var live []*work
	for _, old := range t.active {
		if !old.ended() {
			live = append(live, old)
		}
	}
	for _, i := range t.recent() {
		m := &mind{epoch: w.epoch}
		for n, old := range t.active {
			m.merge(i, i.mind(old), old, n == 0)
		}
		if len(t.active) == 0 {
			m.set = bySendsAlone(i)
		}
		m.stored = m.set
		i.minds[w] = m
	}
	for _, old := range t.active {
		if old.ended() {
			for op, n := range old.reads {
				put(&w.reads, op, w.reads[op]+n)
			}
		}
	}
	if len(live) >= maxActive {
		live = live[1:]
	}
	t.active = slices.Concat(live, []*work{w})
}

// merge adds what a successor can know of an intent from one worker before it.
func (m *mind) merge(i *intent, from *mind, old *work, first bool) {
	from.keep(old)
	set := from.set
	if old.process.killed {
		set |= from.stored
		if set.Any(contract.Unsent, contract.NotExecuted) {
			set |= contract.Standings(contract.InDoubt) // the next send may have been recorded
		}
	}
	if !old.ended() {
		set |= bySendsAlone(i)
	}
	m.set |= set
	missing := from.missing
	if old.process.killed && from.missingSeq > 0 {
		missing = maybe
	}
	if first {
		m.missing, m.missingSeq = missing, from.missingSeq
	} else {
		m.missing, m.missingSeq = either(m.missing, missing), min(m.missingSeq, from.missingSeq)
	}
	m.part()
	if from.wait != nil && old.ended() && old.storedN > from.wait.passing.N {
		m.wait = from.wait
	}
}
