package judge

import (
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// called recognises what a request is, judges it, and then lets it take effect.
func (p *replay) called(r *history.Record) {
	c := p.index.calls[r.Call]
	w := p.works[r.Work]
	if c == nil || w == nil || r.Wire.Copy {
		return
	}
	p.calls++
	w.open[r.Call] = c
	p.prove(w, c.sent.Facts, r.At)
	switch {
	case !c.op.Write:
		p.asked(w, c)
	case c.op.Service == "desk":
		p.escalate(w, c)
	case c.op.Name == "void":
		p.voided(w, c)
	default:
		p.write(w, c)
	}
}

// asked notes a read.
func (p *replay) asked(w *work, c *call) {
	t := w.task
	t.asked[c.op.Name]++
	var i *intent
	if f := c.sent.Facts; f != nil {
		if f.Key != "" {
			i = t.keys[f.Key]
		}
		if i == nil && f.Ref != "" {
			i = t.refs[f.Ref]
		}
	}
	c.intent = i
	if i != nil {
		i.asks = append(i.asks, c)
	}
}

func (p *replay) voided(w *work, c *call) {
	if f := c.sent.Facts; f != nil {
		c.intent = w.task.keys[f.Key]
	}
	if c.intent == nil {
		return
	}
	p.judge(&act{action: contract.Void, intent: c.intent, work: w, call: c, at: c.first(), key: c.key(), n: c.sent.N})
}

func (p *replay) escalate(w *work, c *call) {
	t := w.task
	a := &act{action: contract.Escalate, work: w, call: c, at: c.first(), key: c.key(), n: c.sent.N, intent: p.concerned(w, c)}
	c.intent = a.intent
	p.judge(a)
	t.escalations = append(t.escalations, c)
	t.escalated[c.key()]++
}

// concerned is the intent that an escalation is about: one of the task whose
// row lists the escalation if there is one, else the newest submission.
func (p *replay) concerned(w *work, c *call) *intent {
	all := w.task.intents()
	for n := len(all) - 1; n >= 0; n-- {
		if allows(p.situations(all[n], w, c.first()), contract.Escalate) {
			return all[n]
		}
	}
	return w.task.newest()
}

// write recognises a submission, purchase, notification or withdrawal.
func (p *replay) write(w *work, c *call) {
	i := p.target(w.task, c)
	if i == nil {
		p.report(&uncontrolledWrite, &Finding{
			Task: w.task.id, Action: c.op.String(), Records: []int{c.sent.N},
			Observed: "a " + c.op.String() + " that belongs to nothing that a person confirmed for this task",
		})
		return
	}
	c.intent = i
	key, content := c.key(), ""
	if f := c.sent.Facts; f != nil {
		content = f.Content
	}
	a := &act{intent: i, work: w, call: c, at: c.first(), key: key, n: c.sent.N}
	if n := len(i.sends); n > 0 {
		a.prev = i.sends[n-1]
	}
	a.newKey = !slices.Contains(i.keys, key)
	if owner := w.task.keys[key]; owner != nil && owner != i {
		a.reused = owner
	}
	a.changed = !a.newKey && content != i.content
	c.resend = transportResend(a.prev, c, p.limits.BackoffBase)
	a.action = p.recognise(a)
	a.parents = p.parents(a)
	p.judge(a)
	p.sent(a, content)
}

// recognise names the action of a write.
func (p *replay) recognise(a *act) contract.Action {
	switch {
	case len(a.intent.sends) == 0:
		return contract.Submit
	case !a.newKey:
		return contract.Replay
	case a.intent.fenced && a.call.sent.Facts != nil && slices.Contains(a.intent.keys, a.call.sent.Facts.Supersedes):
		return contract.Resend
	default:
		return contract.Resubmit
	}
}

// parents are what must allow the write besides its own row.
func (p *replay) parents(a *act) []parent {
	i := a.intent
	var ups []parent
	add := func(of *intent, action contract.Action) {
		if of != nil {
			ups = append(ups, parent{intent: of, action: action})
		}
	}
	switch i.form {
	case purchase:
		add(i.of, contract.Purchase)
	case notification:
		add(i.of, contract.Notify)
	case withdrawal:
		add(i.of, contract.Withdraw)
	default:
		for _, older := range i.task.submissions {
			if older.confirm.id == i.confirm.id && older.confirm.version < i.confirm.version && len(i.sends) == 0 {
				add(older, contract.SubmitRevised)
			}
		}
	}
	if len(i.sends) > 0 && i.form != submission {
		return nil // what it rests on was judged at its first send; its own row governs the rest
	}
	return ups
}

// target finds the intent that a write is about.
func (p *replay) target(t *task, c *call) *intent {
	f := c.sent.Facts
	if f == nil {
		return nil
	}
	switch c.op.String() {
	case "approval.submit":
		if i := t.submission(f.Confirmation, f.Version); i != nil {
			return i
		}
		return t.keys[c.key()]
	case "purchase.buy":
		of := t.refs[f.Approval]
		for _, s := range t.submissions {
			if of == nil && f.Content != "" && s.confirm.content == f.Content {
				of = s
			}
		}
		return p.dependent(t, purchase, of)
	case "approval.notify":
		return p.dependent(t, notification, t.refs[f.Ref])
	case "approval.withdraw":
		of := t.refs[f.Ref]
		if of == nil {
			of = t.keys[f.Supersedes] // the body's key; Key is the withdrawal's own
		}
		return p.dependent(t, withdrawal, of)
	}
	return nil
}

// dependent finds or makes the intent of a form that rests on a submission;
// what names none rests on the newest.
func (p *replay) dependent(t *task, f form, of *intent) *intent {
	if of == nil {
		of = t.newest()
	}
	if of == nil {
		return nil
	}
	i := t.dependent(f, of)
	if i == nil {
		i = p.newIntent(f, t, of, of.confirm)
		t.others = append(t.others, i)
		for _, w := range t.works {
			i.known[w.id] = &mind{set: contract.Standings(contract.Unsent), checkpoint: contract.Standings(contract.Unsent)}
		}
	}
	return i
}

// judge resolves the rows of an act and hands it to the rules.
func (p *replay) judge(a *act) {
	if a.intent == nil {
		a.lawful = true
		return
	}
	a.situations = p.situations(a.intent, a.work, a.at)
	a.lawful = allows(a.situations, a.action)
	for n := range a.parents {
		up := &a.parents[n]
		up.situations = p.situations(up.intent, a.work, a.at)
		up.lawful = allows(up.situations, up.action)
		a.lawful = a.lawful && up.lawful
	}
	for _, s := range a.situations {
		if !a.lawful || s.allows(a.action) {
			p.cell(s.row.ID)
		}
	}
	for _, up := range a.parents {
		for _, s := range up.situations {
			p.cell(s.row.ID)
		}
	}
	accused := p.accuse(a)
	if accused {
		a.intent.wrongs = append(a.intent.wrongs, a.n)
		if a.intent.of != nil {
			a.intent.of.wrongs = append(a.intent.of.wrongs, a.n)
		}
	}
}

// accuse hands an act to the rules and tells whether one holds it against the agent.
func (p *replay) accuse(a *act) bool {
	accused, grounded := false, a.lawful
	for _, r := range rules {
		var found []*Finding
		if !grounded && r.unlawful != nil {
			if f := r.unlawful(p, a); f != nil {
				found, grounded = append(found, f), true
			}
		}
		if r.act != nil {
			if f := r.act(p, a); f != nil {
				found = append(found, f)
			}
		}
		for _, f := range found {
			accused = accused || !f.Uncertain
			p.report(r, f)
		}
	}
	return accused
}

// sent lets a write take effect on what is known.
func (p *replay) sent(a *act, content string) {
	i, t := a.intent, a.work.task
	if len(i.sends) == 0 {
		i.content = content
		i.beganLate = a.at
		if i.beganN == 0 {
			i.began, i.beganN = a.at, a.n
		}
	}
	if a.newKey {
		i.keys = append(i.keys, a.key)
		i.fenced = false
		if a.action == contract.Resubmit {
			t.resubmitted++
		}
	}
	if t.keys[a.key] == nil {
		t.keys[a.key] = i
	}
	i.sends = append(i.sends, a.call)
	for _, w := range t.works {
		m := i.mind(w)
		m.set, m.checkpoint = sent(m.set), sent(m.checkpoint)
	}
	p.checkpoint(a.work)
}
