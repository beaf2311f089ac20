package judge

// referral is an escalation of a question.
type referral struct {
	q        *question
	call     *call
	repeated bool // under an identifier that was used for one
}

// refers takes in that a question is handed to a person.
func (p *replay) refers(q *question, c *call) {
	t := q.task
	_, repeated := t.briefs[c.key()]
	r := &referral{q: q, call: c, repeated: repeated && c.key() != ""}
	for _, rule := range rules {
		if rule.referral == nil {
			continue
		}
		if f := rule.referral(p, r); f != nil {
			p.report(rule, f)
		}
	}
	put(&t.briefs, c.key(), brief{})
	if t.escalated[""] == nil {
		put(&t.escalated, "", c.sent)
	}
	c.by.act(c.sent)
}
