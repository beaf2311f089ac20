package judge

import (
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// reading is what one reply says about one intent.
type reading struct {
	about  *intent
	effect effect
}

// read says what the reply of c means for the intents of its task, once it is
// delivered. An error code means what the interface contract says and no more:
// a 502 may follow a commit, and a refusal settles only the attempt it answers.
func (p *replay) read(c *call) []reading {
	if c.replied == nil {
		return nil
	}
	t := p.task(c.sent.Task)
	f, status := c.replied.Facts, c.replied.Wire.Status
	if f == nil {
		f = &history.Facts{}
	}
	switch c.op.String() {
	case "approval.submit", "purchase.buy":
		return p.readWrite(c, c.intent, f, status)
	case "approval.notify":
		return p.readNotification(c, f, status)
	case "approval.withdraw":
		return p.readWithdrawal(c, f, status)
	case "approval.void":
		return p.readSubmissionState(t, c, f)
	case "approval.track":
		if i := t.refs[f.Ref]; i != nil && status < 300 {
			return []reading{p.record(i, f)}
		}
	case "approval.query", "purchase.query":
		if f.Listed {
			return p.readList(t, f)
		}
		return p.readSubmissionState(t, c, f)
	}
	return nil
}

func (p *replay) readWrite(c *call, i *intent, f *history.Facts, status int) []reading {
	if i == nil {
		return nil
	}
	said := func(e effect) []reading { return []reading{{i, e}} }
	switch {
	case status < 300 && f.Ref != "" && !f.Malformed:
		if r := p.record(i, f); !r.effect.nothing() {
			return []reading{r}
		}
		return nil
	case status == 409 && f.Code == "identifier_conflict":
		return said(effect{to: contract.Conflict})
	case status == 409 && f.Code == "void":
		return said(effect{to: contract.NotExecuted})
	case status == 429, status == 503 && c.replied.Wire.RetryAfter > 0:
		return said(p.withoutEffect(c, i, contract.Unsent))
	case status >= 400 && status < 500 && i.promise.NoEffect(status):
		return said(p.withoutEffect(c, i, contract.Refused))
	}
	return nil
}

// withoutEffect settles the attempt c alone: what remains depends on whether an
// earlier attempt can have reached the service.
func (p *replay) withoutEffect(c *call, i *intent, to contract.Standing) effect {
	for _, other := range i.sends {
		if other != c && !other.noEffect {
			return effect{}
		}
	}
	return effect{to: to, restore: true}
}

// settlesAttempt tells whether the reply promises that this attempt had no
// effect, whatever is known of others.
func settlesAttempt(c *call) bool {
	if c.replied == nil || c.intent == nil {
		return false
	}
	status := c.replied.Wire.Status
	if status == 409 && c.replied.Facts != nil && c.replied.Facts.Code == "identifier_conflict" {
		return false
	}
	return status == 429 || status == 503 && c.replied.Wire.RetryAfter > 0 ||
		status >= 400 && status < 500 && c.intent.promise.NoEffect(status)
}

// readWithdrawal reads the reply to a withdrawal: the record of what was
// withdrawn, under the identifier of its submission.
func (p *replay) readWithdrawal(c *call, f *history.Facts, status int) []reading {
	i := c.intent
	if i == nil {
		return nil
	}
	if own := p.record(i.of, f); status < 300 && own.effect.to == contract.Withdrawn {
		return []reading{own, {i, effect{to: contract.Accepted}}}
	}
	return p.readWrite(c, i, f, status)
}

// readNotification reads the reply to a notification, which may carry no more
// than its status.
func (p *replay) readNotification(c *call, f *history.Facts, status int) []reading {
	if c.intent != nil && status < 300 && !f.Malformed {
		return []reading{{c.intent, effect{to: contract.Accepted}}}
	}
	return p.readWrite(c, c.intent, f, status)
}

// readSubmissionState reads /v1/submissions/{key}: unknown is never final, and
// created names a reference but not what it holds, so that it only permits
// acceptance until the record itself is read.
func (p *replay) readSubmissionState(t *task, c *call, f *history.Facts) []reading {
	key := f.Key
	if key == "" && c.sent.Facts != nil {
		key = c.sent.Facts.Key
	}
	i := t.keys[key]
	if i == nil || f.Malformed {
		return nil
	}
	switch {
	case f.Status == "created":
		return []reading{{i, effect{to: contract.Accepted, maybe: i.ref == "" || i.ref != f.Ref}}}
	case f.Final && (f.Status == "refused" || f.Status == "void"):
		return []reading{{i, effect{to: contract.NotExecuted}}}
	}
	return nil
}

func (p *replay) readList(t *task, f *history.Facts) []reading {
	var out []reading
	for n := range f.Items {
		item := &f.Items[n]
		if i := t.keys[item.Key]; i != nil {
			if r := p.record(i, item); !r.effect.nothing() {
				out = append(out, r)
			}
		}
	}
	return out
}

// record reads a business record that claims to be the intent's own: it must
// carry one of its identifiers and match in object, version and digest.
func (p *replay) record(i *intent, f *history.Facts) reading {
	none := reading{about: i}
	own := false
	for _, k := range i.keys {
		own = own || k == f.Key
	}
	if !own {
		return none
	}
	if i.form == submission {
		c := i.confirm
		if f.Confirmation != c.id || f.Version != c.version || f.Digest != c.digest ||
			f.Tenant != "" && f.Tenant != c.tenant || f.Object != "" && f.Object != c.object {
			return none
		}
	}
	if i.form == purchase && (f.Content != "" && f.Content != i.content) {
		return none
	}
	to := contract.Accepted
	if i.form == submission {
		switch f.Status {
		case "approved":
			to = contract.Approved
		case "declined":
			to = contract.Declined
		case "withdrawn":
			to = contract.Withdrawn
		}
		switch f.Notification {
		case "failed":
			p.missing[i] = true
		case "sent":
			delete(p.missing, i)
		}
	}
	return reading{i, effect{to: to}}
}
