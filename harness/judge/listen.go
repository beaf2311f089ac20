package judge

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// confirmed takes in what the control plane told about a confirmation.
func (p *replay) confirmed(r *history.Record) {
	w := p.works[r.Work]
	if w == nil {
		return
	}
	own := w.checks[r.Control.Confirmation]
	if own == nil {
		own = &check{}
		put(&w.checks, r.Control.Confirmation, own)
	}
	own.take(r)
	w.check.take(r)
	was := w.check.before
	told := func(yes func(*history.Control) bool) bool { return was != nil && yes(was.Control) }
	if r.Control.Cancelled && !told(func(c *history.Control) bool { return c.Cancelled }) {
		p.bind(w, history.Cancel, p.from(was, r.At))
	}
	if r.Control.Stopped && !told(func(c *history.Control) bool { return c.Stopped }) {
		p.bind(w, history.Stop, p.from(was, r.At))
	}
	if v := r.Control.Version; own.before == nil || own.before.Control.Version < v {
		p.superseded(w, r.Control.Confirmation, v, p.from(own.before, r.At))
	}
}

// from is when something binds that a confirmation reply showed: at once, unless
// the worker had been told otherwise a moment ago, when a second thread of it may
// still act on that.
func (p *replay) from(was *history.Record, at time.Duration) time.Duration {
	if was != nil && at-was.At <= p.reaction(at) {
		return at + p.reaction(at)
	}
	return at
}

// bind notes from when a change of the task binds a worker.
func (p *replay) bind(w *work, key string, from time.Duration) {
	if old, ok := w.seen[key]; !ok || from < old {
		put(&w.seen, key, from)
	}
}

// placed takes in a change of the task.
func (p *replay) placed(r *history.Record) {
	t, c := p.task(r.Task), r.Control
	if n := len(t.items); c.Item > 0 && (n == 0 || t.items[n-1].Control.Item < c.Item) {
		t.items = append(t.items, r)
	}
	switch c.Change {
	case history.Cancel, history.Stop:
		if t.changes[c.Change] == nil {
			put(&t.changes, c.Change, &change{placed: r})
		}
	case history.Revise:
		if r.Facts != nil {
			p.revise(t, r)
		}
	}
}

// revise makes the submission of a newer version, which replaces those before it.
func (p *replay) revise(t *task, r *history.Record) {
	f := r.Facts
	p.confirm(t, f)
	ch := &change{placed: r, version: f.Version}
	for v := f.Version - 1; v > 0 && v >= f.Version-maxOlder; v-- {
		if old := t.submission(f.Confirmation, v); old != nil && old.revised == nil {
			old.revised = ch
		}
	}
}

// maxCarried bounds the inbox items that one record can bring.
const maxCarried = 256

// offered takes in an inbox reply: what it carried may have been read.
func (p *replay) offered(r *history.Record) {
	if w := p.works[r.Work]; w != nil {
		w.told = p.carry(w, w.told, r, ambiguous)
	}
}

// acked takes in an inbox request: what it is beyond was read.
func (p *replay) acked(r *history.Record) {
	if w := p.works[r.Work]; w != nil {
		w.acked = p.carry(w, w.acked, r, delivered)
	}
}

// carry delivers the inbox items after the first from, up to the record's.
func (p *replay) carry(w *work, from int, r *history.Record, how delivery) int {
	items := w.task.items
	n := from
	for ; n < len(items) && n < from+maxCarried && items[n].Control.Item <= r.Control.Item; n++ {
		p.deliver(w, items[n], how, r.At)
	}
	return n
}

func (p *replay) deliver(w *work, item *history.Record, how delivery, at time.Duration) {
	t, key := w.task, item.Control.Change
	switch {
	case key == history.Event:
		p.event(w, item, how, at)
		return
	case key == history.Decision && !t.decisions[item.N]:
		put(&t.decisions, item.N, true)
		put(&t.choices, item.Control.Choice, t.choices[item.Control.Choice]+1)
	}
	closing := ""
	if key == history.Decision && item.Control.Choice == "close" {
		closing = p.closes(t, item)
	}
	if how != delivered {
		return
	}
	if key == history.Revise && item.Facts != nil {
		p.superseded(w, item.Facts.Confirmation, item.Facts.Version, at+p.reaction(at))
		return
	}
	p.bind(w, key, at+p.reaction(at))
	if closing != "" {
		p.bind(w, closing, at+p.reaction(at))
	}
}

// event takes in a message of a service that came through the inbox.
func (p *replay) event(w *work, item *history.Record, how delivery, at time.Duration) {
	f := item.Facts
	if f == nil || f.Ref == "" {
		return
	}
	put(&w.task.told, f.Ref, true)
	put(&w.task.sources, f.Ref, w.task.sources[f.Ref]+1)
	for _, said := range p.record(w.task.refs[f.Ref], f) {
		p.learn(w, said, how, at, false)
	}
}

// stated takes in a claim or a result.
func (p *replay) stated(r *history.Record) {
	w := p.works[r.Work]
	if w == nil {
		return
	}
	s := &statement{rec: r, work: w, result: r.Kind == history.ControlResult}
	p.prove(w, r.Control.Ref, r.At)
	if s.result {
		w.task.results = append(w.task.results, r)
	} else {
		s.intent = w.task.submission(r.Control.Confirmation, r.Control.Version)
		if s.intent != nil {
			p.claims(s.intent, r.Control)
		}
	}
	for _, rule := range rules {
		if rule.state == nil {
			continue
		}
		if f := rule.state(p, s); f != nil {
			p.report(rule, f)
			if s.intent != nil {
				s.intent.wrongs = append(s.intent.wrongs, r.N)
			}
		}
	}
	if s.intent != nil {
		p.cover(s.intent, w, r.At)
	}
	w.act(r)
}
