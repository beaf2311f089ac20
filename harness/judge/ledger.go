package judge

import "github.com/lostreceipt/lostreceipt/harness/history"

// ledger joins a row of a service's ledger to the intent that it is about.
func (p *replay) ledger(r *history.Record) {
	f := r.Facts
	if f == nil {
		return
	}
	if r.Ledger.Effect == history.ApprovalCreated || r.Ledger.Effect == history.PurchaseDone {
		p.executes(r)
	}
	if r.Ledger.Foreign {
		return
	}
	t := p.task(r.Task)
	c := p.index.calls[r.Call]
	p.keep(c, r)
	switch r.Ledger.Effect {
	case history.ApprovalCreated:
		p.counts["approval"]++
		p.instance(t, c, r)
	case history.PurchaseDone:
		p.counts["purchase"]++
		p.made(t, c, r)
	case history.WithdrawalDone:
		p.counts["withdrawal"]++
		p.made(t, c, r)
	case history.NotificationSent:
		p.counts["notification"]++
		if i := t.refs[f.Ref]; i != nil {
			i.notified = append(i.notified, r)
		}
	case history.RefundIssued:
		p.counts["refund"]++
	case history.Escalated:
		p.counts["escalation"]++
	case history.KeyStored:
		if i := t.keys[f.Key]; i != nil && i.storedN == 0 {
			i.storedN = r.N
		}
	}
}

// instance joins a new approval.
func (p *replay) instance(t *task, c *call, r *history.Record) {
	f := r.Facts
	i := t.submission(f.Confirmation, f.Version)
	if i == nil && c != nil {
		i = c.intent
	}
	if i != nil {
		i.created = append(i.created, r)
		put(&t.refs, f.Ref, i)
	}
}

// made joins a consequence of a dependent intent.
func (p *replay) made(t *task, c *call, r *history.Record) {
	i := t.keys[r.Facts.Key]
	switch {
	case c != nil && c.intent != nil:
		i = c.intent
	case c != nil && c.sent.Wire.Copy:
		i = t.keys[c.key()]
	}
	if i != nil {
		i.created = append(i.created, r)
	}
}
