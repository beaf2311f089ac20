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
	w.checkedWas, w.checked = w.checked, r
	w.checks = append(w.checks, r)
	was := w.checkedWas
	p.shown(w, history.Cancel, r.Control.Cancelled, was != nil && was.Control.Cancelled, was, r.At)
	p.shown(w, history.Stop, r.Control.Stopped, was != nil && was.Control.Stopped, was, r.At)
	if v := r.Control.Version; v > 1 {
		p.shown(w, revisionKey(v), true, was != nil && was.Control.Version >= v, was, r.At)
	}
}

// shown binds a change that a confirmation reply showed: at once, unless the
// worker had been told otherwise a moment ago, when a second thread of it may
// still act on that.
func (p *replay) shown(w *work, key string, now, before bool, was *history.Record, at time.Duration) {
	if !now || before {
		return
	}
	binds := at
	if was != nil && at-was.At <= p.reaction {
		binds = at + p.reaction
	}
	if old, ok := w.seen[key]; !ok || binds < old {
		w.seen[key] = binds
	}
}

// placed takes in a change of the task.
func (p *replay) placed(r *history.Record) {
	t := p.task(r.Task)
	c := r.Control
	if c.Item > 0 {
		t.items = append(t.items, r)
	}
	switch c.Change {
	case history.Cancel, history.Stop, history.Decision:
		t.changes[c.Change] = &change{kind: c.Change, placed: r, choice: c.Choice}
	case history.Revise:
		if r.Facts == nil {
			return
		}
		t.revisions = append(t.revisions, &change{kind: c.Change, placed: r, version: r.Facts.Version})
		p.confirm(t, r.Facts, r.At)
		for _, w := range t.works {
			for _, i := range t.submissions {
				i.mind(w)
			}
		}
	}
}

// offered takes in an inbox reply: what it carried may have been read.
func (p *replay) offered(r *history.Record) {
	w := p.works[r.Work]
	if w == nil {
		return
	}
	for _, item := range w.task.items {
		if n := item.Control.Item; n > w.told && n <= r.Control.Item {
			p.deliver(w, item, ambiguous, r.At)
		}
	}
	w.told = max(w.told, r.Control.Item)
}

// acked takes in an inbox request: what it is beyond was read.
func (p *replay) acked(r *history.Record) {
	w := p.works[r.Work]
	if w == nil {
		return
	}
	for _, item := range w.task.items {
		if n := item.Control.Item; n > w.acked && n <= r.Control.Item {
			p.deliver(w, item, delivered, r.At)
		}
	}
	w.acked = max(w.acked, r.Control.Item)
}

func (p *replay) deliver(w *work, item *history.Record, how delivery, at time.Duration) {
	key := item.Control.Change
	if key == history.Event {
		p.event(w, item, how, at)
		return
	}
	if key == history.Revise && item.Facts != nil {
		key = revisionKey(item.Facts.Version)
	}
	if _, ok := w.offered[key]; !ok {
		w.offered[key] = at
	}
	if how == delivered {
		if old, ok := w.seen[key]; !ok || at+p.reaction < old {
			w.seen[key] = at + p.reaction
		}
		if key == history.Decision {
			w.task.choice = item.Control.Choice
		}
	}
}

// event takes in a message of a service that came through the inbox.
func (p *replay) event(w *work, item *history.Record, how delivery, at time.Duration) {
	f := item.Facts
	if f == nil {
		return
	}
	i := w.task.refs[f.Ref]
	if i == nil {
		return
	}
	w.task.told[f.Ref] = true
	p.learn(w, p.record(i, f), how, at, false)
}

// stated takes in a claim or a result.
func (p *replay) stated(r *history.Record) {
	w := p.works[r.Work]
	if w == nil {
		return
	}
	s := &statement{rec: r, work: w, result: r.Kind == history.ControlResult}
	if r.Control.Ref != "" {
		p.proveRef(w, r.Control.Ref, r.At)
	}
	if s.result {
		w.task.results = append(w.task.results, r)
	} else {
		s.intent = w.task.submission(r.Control.Confirmation, r.Control.Version)
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
		p.cover(s.intent, w)
	}
	p.checkpoint(w)
}
