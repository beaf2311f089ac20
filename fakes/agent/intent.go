package agent

import (
	"crypto/rand"
	"encoding/json"
	"time"
)

// newKey is an identifier that nobody has used.
func newKey() string { return rand.Text() }

// newSubmission fixes what will be sent for a confirmed version. supersedes is
// the fenced identifier that it follows, "" for none.
func newSubmission(t task, c confirmation, supersedes string) *intent {
	return &intent{
		Action: submitAction, Key: newKey(), Standing: unsent, Confirmation: c, Supersedes: supersedes,
		Body: encode(submission{version{c.ID, c.Version}, t.Tenant, t.Object, c.Content, c.Digest, supersedes}),
	}
}

// prepare fixes what will be sent for an intent that depends on a submission.
func (f *flow) prepare(m move) error {
	return f.store.update(f.given.ID, func(d *dossier) error {
		b := d.current()
		if b.Submit.Key != m.in.Key {
			return errStale
		}
		in := &intent{Action: m.action, Key: newKey(), Standing: unsent, Confirmation: b.Submit.Confirmation, Of: b.Submit.Key}
		taken := map[string]any{"key": in.Of} // only a defect goes on without a record
		if b.Submit.Record != nil {
			in.Of = b.Submit.Record.Ref
			taken = map[string]any{"ref": in.Of}
		}
		slot := &b.Purchase
		switch m.action {
		case purchaseAction:
			in.Body = encode(map[string]any{"approval": in.Of, "content": in.Confirmation.Content})
		case withdrawAction:
			slot, in.Body = &b.Withdraw, encode(taken)
		case notifyAction:
			slot, in.Body = &b.Notify, encode(map[string]any{})
		}
		if *slot != nil {
			return errStale
		}
		*slot = in
		d.note("recorded the " + m.action + " " + in.Key)
		return nil
	})
}

// succeed records the submission that follows a fenced one, or one that a
// person allowed beside it: another identifier, within the same budget.
func (f *flow) succeed(in *intent) error {
	return f.store.update(f.given.ID, func(d *dossier) error {
		if d.current().Submit.Key != in.Key {
			return errStale
		}
		next := newSubmission(f.task, in.Confirmation, in.Key)
		if d.Handover != nil {
			d.Resubmit = true
		} else {
			next.Attempts, next.Began, next.FirstSent, next.NextSend = in.Attempts, in.Began, in.FirstSent, in.NextSend
		}
		d.Bids = append(d.Bids, &bid{Submit: next})
		d.note("recorded " + next.Key + ", which supersedes " + in.Key)
		return nil
	})
}

// adopt records the submission of a newer version: an intent of its own.
func (f *flow) adopt(c confirmation) error {
	return f.store.update(f.given.ID, func(d *dossier) error {
		if d.current().Submit.Confirmation.Version >= c.Version {
			return errStale
		}
		d.Bids = append(d.Bids, &bid{Submit: newSubmission(f.task, c, "")})
		d.note("recorded the revised version")
		return nil
	})
}

func encode(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil { // only for a content that is no JSON, which the control plane does not send
		return json.RawMessage("null")
	}
	return raw
}

// stamp is an instant as messages carry it; null for none.
func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := t.UTC().Format(time.RFC3339Nano)
	return &s
}
