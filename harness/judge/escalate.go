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
		put(&t.escalated, id, c.sent)
	}
	put(&t.briefs, c.key(), brief{i, digest})
	put(&c.by.escalated, i.confirm.id, true)
	c.by.act(c.sent)
}

// concerned is the intent that an escalation is about: one whose row lists the
// escalation if there is one, among those of the version whose identifier or
// number it names. It may be an intent of which nothing was sent: a purchase that
// is no longer authorized, say.
func (p *replay) concerned(c *call) *intent {
	p.expectDependents(c.by, c.first())
	named, among := p.matter(c)
	if named == nil {
		return nil
	}
	for _, i := range slices.Concat([]*intent{named}, named.depends[submission+1:], among) {
		if i != nil && allows(p.situations(i, c.by, c.first()), contract.Escalate) {
			return i
		}
	}
	return named
}

// matter is the submission that an escalation names, and the intents that it may
// mean beside what belongs to that one: with an identifier that was sent none;
// with a version those of the same confirmation; with neither the whole task.
func (p *replay) matter(c *call) (*intent, []*intent) {
	t := c.by.task
	named, all := t.newest(), t.recent()
	slices.Reverse(all)
	b := c.stated().Escalation
	if b == nil {
		return named, all
	}
	if i := t.keys[b.Key]; i != nil {
		return i.root(), nil
	}
	if i := t.submission(b.Confirmation, b.Version); i != nil {
		return i, slices.DeleteFunc(all, func(other *intent) bool { return other.confirm.id != i.confirm.id })
	}
	return named, all
}
