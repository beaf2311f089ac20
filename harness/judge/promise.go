package judge

import (
	"fmt"
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// promises are what the ledgers show of the promises that services keep or
// break by themselves, whatever an agent does.
type promises struct {
	stored   map[string]*history.Record   // deduplication records that stand, by identifier
	fenced   map[string]*history.Record   // fences, by identifier
	executed map[string]*history.Record   // consequences, by the call that had them
	notified map[decision]*history.Record // notifications that nobody asked for
	breaches []*Finding
}

// decision is what a service notifies of once.
type decision struct{ ref, status string }

func newPromises() promises {
	return promises{
		stored: map[string]*history.Record{}, fenced: map[string]*history.Record{}, executed: map[string]*history.Record{},
		notified: map[decision]*history.Record{},
	}
}

// keep compares a row of a ledger with what the service promised. c is the call
// that caused it, or nil.
func (p *replay) keep(c *call, r *history.Record) {
	k, f := &p.promises, r.Facts
	switch r.Ledger.Effect {
	case history.ApprovalCreated, history.PurchaseDone:
		if r.Call != "" {
			k.executed[r.Call] = r
		}
		if fence := k.fenced[f.Key]; fence != nil && f.Key != "" {
			p.breach(r, "identifier %q was fenced, and its request was executed all the same", []*history.Record{fence, r}, f.Key)
		}
	case history.KeyFenced:
		k.fenced[f.Key] = r
	case history.KeyStored:
		k.stored[f.Key] = r
	case history.KeyExpired:
		p.expires(k.stored[f.Key], r)
		delete(k.stored, f.Key)
	case history.NotificationSent:
		if c != nil && c.op.Name == "notify" {
			return
		}
		d := decision{f.Ref, f.Status}
		if first := k.notified[d]; first != nil {
			p.breach(r, "%s was notified twice as %s, and nobody asked for it", []*history.Record{first, r}, f.Ref, f.Status)
			return
		}
		k.notified[d] = r
	}
}

// expires compares the end of a deduplication record with the retention that
// was promised. It counts from the receipt of its request, which was sent before.
func (p *replay) expires(stored, r *history.Record) {
	if stored == nil {
		return
	}
	c := p.index.calls[stored.Call]
	if c == nil {
		return
	}
	retention := p.setup.Guarantees[c.op.String()].Idempotency.Retention()
	if kept := r.At - c.sent.At; kept < retention-p.blur(c.sent.At, r.At) {
		p.breach(r, "identifier %q was forgotten at most %s after its request; %s were promised", []*history.Record{stored, r}, r.Facts.Key, millis(kept), millis(retention))
	}
}

// believe compares a reply with what the call that it answers has done: a
// refusal without effect must have had none.
func (p *replay) believe(c *call) {
	row := p.promises.executed[c.sent.Call]
	if row == nil || c.replied == nil || c.replied.Facts == nil || !c.write {
		return
	}
	f, status := c.replied.Facts, c.replied.Wire.Status
	promise := p.setup.Guarantees[c.op.String()]
	if f.NoEffect && slices.Contains(promise.NoEffectStatuses, status) {
		p.breach(row, "%s was answered %d without effect, and it had one", []*history.Record{row, c.replied}, c.op, status)
	}
}

// breach notes a broken promise.
func (p *replay) breach(r *history.Record, format string, records []*history.Record, args ...any) {
	f := &Finding{Task: r.Task, Records: numbers(records...), Observed: fmt.Sprintf(format, args...)}
	if t := p.tasks[r.Task]; t != nil {
		if i := t.refs[r.Facts.Ref]; i != nil {
			f.Intent = i.String()
		} else if i := t.keys[r.Facts.Key]; i != nil {
			f.Intent = i.String()
		}
	}
	p.promises.breaches = append(p.promises.breaches, f)
}

// broke tells whether one of these rows is part of a broken promise.
func (k *promises) broke(rows []*history.Record) bool {
	return slices.ContainsFunc(k.breaches, func(f *Finding) bool {
		return slices.ContainsFunc(rows, func(r *history.Record) bool { return slices.Contains(f.Records, r.N) })
	})
}
