package judge

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// answered takes in a reply whose last byte is about to be written.
func (p *replay) answered(r *history.Record) {
	c := p.index.calls[r.Call]
	w := p.works[r.Work]
	if c == nil || w == nil || c.sent.Wire.Copy {
		return
	}
	own := len(w.open) == 1 && w.open[r.Call] != nil
	delete(w.open, r.Call)
	how := classify(c, p.noise)
	if how != undelivered {
		p.tell(c)
	}
	if how != delivered {
		w.waiting = append(w.waiting, c)
	}
	p.receive(w, c, how, r.At, own)
}

// receive lets a reply take effect on what its worker knows.
func (p *replay) receive(w *work, c *call, how delivery, at time.Duration, own bool) {
	if c.binding {
		return
	}
	for _, reading := range p.read(c) {
		p.learn(w, reading, how, at, own)
	}
	if how == delivered {
		c.binding = true
		c.noEffect = settlesAttempt(c)
	}
}

// tell notes which references the reply names, and whether only a search did.
func (p *replay) tell(c *call) {
	t := p.task(c.sent.Task)
	into := t.told
	if c.op.Name == "search" {
		into = t.searched
	}
	eachRef(c, func(ref string) { into[ref] = true })
}

func eachRef(c *call, f func(string)) {
	if c.replied == nil || c.replied.Facts == nil {
		return
	}
	if ref := c.replied.Facts.Ref; ref != "" {
		f(ref)
	}
	for _, item := range c.replied.Facts.Items {
		if item.Ref != "" {
			f(item.Ref)
		}
	}
}

// prove treats a reply as delivered from now on if the worker uses something
// that only the reply can have told it.
func (p *replay) prove(w *work, f *history.Facts, at time.Duration) {
	if f == nil {
		return
	}
	for _, ref := range []string{f.Ref, f.Approval} {
		if ref != "" {
			p.proveRef(w, ref, at)
		}
	}
}

func (p *replay) proveRef(w *work, ref string, at time.Duration) {
	for _, c := range w.waiting {
		if c.binding {
			continue
		}
		carries := false
		eachRef(c, func(r string) { carries = carries || r == ref })
		if carries {
			p.tell(c)
			p.receive(w, c, delivered, at, true)
		}
	}
}

// hungUp closes the calls of a connection that ended.
func (p *replay) hungUp(r *history.Record) {
	w := p.works[r.Work]
	if w == nil {
		return
	}
	for id, c := range w.open {
		if c.sent.Wire.Conn == r.Wire.Conn {
			delete(w.open, id)
		}
	}
}

// ledger joins a row of a service's ledger to the intent that it is about.
func (p *replay) ledger(r *history.Record) {
	f := r.Facts
	if f == nil || r.Ledger.Foreign {
		return
	}
	t := p.task(r.Task)
	c := p.index.calls[r.Call]
	switch r.Ledger.Effect {
	case history.ApprovalCreated:
		p.counts["approval"]++
		i := t.submission(f.Confirmation, f.Version)
		if i == nil && c != nil {
			i = c.intent
		}
		if i != nil {
			i.created = append(i.created, r)
			t.refs[f.Ref] = i
			if i.ref == "" {
				i.ref = f.Ref
			}
		}
	case history.PurchaseDone:
		p.counts["purchase"]++
		p.made(t, c, r, f.Key)
	case history.WithdrawalDone:
		p.counts["withdrawal"]++
		p.made(t, c, r, f.Key)
	case history.NotificationSent:
		p.counts["notification"]++
		if i := t.refs[f.Ref]; i != nil {
			i.notified = append(i.notified, r)
		}
	case history.Escalated:
		p.counts["escalation"]++
	case history.KeyStored:
		if i := t.keys[f.Key]; i != nil && i.storedN == 0 {
			i.storedN = r.N
		}
	case history.KeyFenced, history.KeyRefused:
		if i := t.keys[f.Key]; i != nil {
			i.fenced = true
		}
	}
}

// made joins a consequence of a dependent intent.
func (p *replay) made(t *task, c *call, r *history.Record, key string) {
	i := t.keys[key]
	if c != nil && c.intent != nil {
		i = c.intent
	} else if c != nil && c.sent.Wire.Copy {
		i = t.keys[c.key()]
	}
	if i != nil {
		i.created = append(i.created, r)
	}
}
