package judge

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// pending is evidence that binds later: until then old and new standing are
// both possible.
type pending struct {
	at     time.Duration
	work   *work
	about  *intent
	effect effect
}

// mind returns what a worker can know about an intent.
func (i *intent) mind(w *work) *mind {
	m := i.known[w.id]
	if m == nil {
		m = &mind{set: contract.Standings(contract.Unsent), checkpoint: contract.Standings(contract.Unsent)}
		if len(i.sends) > 0 {
			m.set, m.checkpoint = contract.Standings(contract.InDoubt), contract.Standings(contract.InDoubt)
		}
		i.known[w.id] = m
	}
	return m
}

// learn takes evidence in. It belongs to the worker that received it; a worker
// beside it is judged with and without it.
func (p *replay) learn(w *work, r reading, how delivery, at time.Duration, own bool) {
	if r.effect.nothing() || how == undelivered {
		return
	}
	for _, other := range w.task.works {
		m := r.about.mind(other)
		switch {
		case other != w, how == ambiguous:
			m.set |= r.effect.apply(m.set)
		case own:
			m.set = r.effect.apply(m.set)
		default:
			m.set |= r.effect.apply(m.set)
			if r.effect.restore {
				break // another send may leave before it would bind
			}
			p.later = append(p.later, pending{at + p.reaction, w, r.about, r.effect})
		}
	}
	p.cover(r.about, w)
}

// settle binds the evidence that is due by now. The reaction is the same for
// all, so the queue is in order.
func (p *replay) settle(now time.Duration) {
	for len(p.later) > 0 && p.later[0].at <= now {
		d := p.later[0]
		p.later = p.later[1:]
		m := d.about.mind(d.work)
		m.set = d.effect.apply(m.set)
	}
}

// checkpoint notes what a worker must have stored by now.
func (p *replay) checkpoint(w *work) {
	for _, i := range w.task.intents() {
		m := i.mind(w)
		m.checkpoint = m.set
	}
}

// inherit gives a new worker of a task what it can know from those before it.
func (p *replay) inherit(w *work) {
	for _, i := range w.task.intents() {
		var set contract.Standings
		for _, old := range w.task.works {
			if old == w {
				continue
			}
			m := i.mind(old)
			set |= m.set | m.checkpoint
			if old.killed && set.Has(contract.Unsent) {
				set |= contract.Standings(contract.InDoubt)
			}
			if !old.killed && old.exited == nil {
				set |= bySendsAlone(i)
			}
		}
		if set == 0 {
			set = bySendsAlone(i)
		}
		i.known[w.id] = &mind{set: set, checkpoint: set}
	}
}

// bySendsAlone is the standing of one that knows of the sends and of nothing
// that came back.
func bySendsAlone(i *intent) contract.Standings {
	if len(i.sends) > 0 {
		return contract.Standings(contract.InDoubt)
	}
	return contract.Standings(contract.Unsent)
}
