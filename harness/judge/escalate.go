package judge

import (
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// brief is what was told last under one identifier.
type brief struct {
	about  *intent
	digest string
}

// escalates takes in that the task is handed to a person. Under the same
// identifier it is the same escalation, sent again or amended.
func (p *replay) escalates(c *call) {
	t, digest := c.by.task, c.sent.Wire.Digest
	before, repeated := t.briefs[c.key()]
	if c.key() == "" {
		repeated = false
	}
	i := before.about
	if !repeated {
		i = p.concerned(c)
	}
	if i == nil {
		return
	}
	c.intent = i
	p.judge(&act{
		action: contract.Escalate, intent: i, work: c.by, call: c, at: c.first(), key: c.key(), n: c.sent.N,
		repeated: repeated, again: repeated && digest != "" && before.digest == digest,
	})
	if i.escalated == nil {
		i.escalated = c.sent
	}
	if id := i.confirm.id; t.escalated[id] == nil {
		t.escalated[id] = c.sent
	}
	t.briefs[c.key()] = brief{i, digest}
	c.by.escalated[i.confirm.id] = true
	c.by.act(c.sent)
}

// concerned is the intent that an escalation is about: of the version that it
// names, or else of its confirmation, one whose row lists the escalation if
// there is one; else the submission of that version. One that names none is
// about the task. It may be an intent of which nothing was sent: a purchase that
// is no longer authorized, say.
func (p *replay) concerned(c *call) *intent {
	t := c.by.task
	p.expectDependents(c.by, c.first())
	named, any := t.newest(), true
	if b := c.stated().Escalation; b != nil {
		if i := t.submission(b.Confirmation, b.Version); i != nil {
			named, any = i, false
		}
	}
	if named == nil {
		return nil
	}
	all := t.recent()
	slices.Reverse(all)
	for _, i := range slices.Concat([]*intent{named}, named.depends[submission+1:], all) {
		if i == nil || !any && i.confirm.id != named.confirm.id {
			continue
		}
		if allows(p.situations(i, c.by, c.first()), contract.Escalate) {
			return i
		}
	}
	return named
}
