package judge

import (
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// escalates takes in that the task is handed to a person.
func (p *replay) escalates(c *call) {
	t := c.by.task
	i := p.concerned(c)
	if i == nil {
		return
	}
	c.intent = i
	digest := c.sent.Wire.Digest
	a := &act{
		action: contract.Escalate, intent: i, work: c.by, call: c, at: c.first(), key: c.key(), n: c.sent.N,
		again: digest != "" && t.briefs[c.key()] == digest,
	}
	p.judge(a)
	if i.escalatedN == 0 {
		i.escalatedAs, i.escalatedN = a.key, a.n
	}
	t.briefs[c.key()] = digest
	t.escalations++
	if t.escalated == nil {
		t.escalated = c.sent
	}
	c.by.escalated = true
	c.by.act(c.sent)
}

// concerned is the intent that an escalation is about: of the version that it
// names, or else of the task, one whose row lists the escalation if there is
// one; else the submission of that version, or the newest.
func (p *replay) concerned(c *call) *intent {
	t := c.by.task
	listed := func(i *intent) bool {
		return i != nil && allows(p.situations(i, c.by, c.first()), contract.Escalate)
	}
	named := t.newest()
	if b := c.stated().Escalation; b != nil {
		if i := t.submission(b.Confirmation, b.Version); i != nil {
			named = i
		}
	}
	if named == nil {
		return nil
	}
	family := append([]*intent{named}, named.depends[submission+1:]...)
	for _, i := range family { // an amendment is about the same matter
		if i != nil && i.escalatedN != 0 && listed(i) {
			return i
		}
	}
	all := t.recent()
	slices.Reverse(all)
	for _, i := range append(family, all...) {
		if listed(i) {
			return i
		}
	}
	return named
}
