package judge

import (
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// reading is what one message says about one intent.
type reading struct {
	about  *intent
	effect effect
	notice notice
	seq    int // the number of the record that says so
}

// notice is what a record says about its notification.
type notice uint8

const (
	unsaid notice = iota
	failed
	arrived
)

// read says what the reply of c means for the intents of its task. An error code
// means what the interface contract says and no more: a 502 may follow a commit,
// and a refusal settles only the attempt it answers.
func (p *replay) read(c *call) []reading {
	t, f := c.by.task, c.said()
	if c.replied == nil || f.Malformed {
		f = &history.Facts{}
	}
	switch c.op.Service + "." + c.op.Name {
	case "approval.submit", "purchase.buy":
		return p.readWrite(c, p.record(c.intent, f))
	case "approval.notify", "approval.withdraw":
		if c.intent == nil {
			return nil
		}
		return p.readWrite(c, p.record(c.intent.of, f))
	case "approval.track":
		if c.status() < 300 {
			return p.record(t.refs[f.Ref], f)
		}
	case "approval.void", "approval.query", "purchase.query":
		switch {
		case c.status() >= 300:
		case f.Listed:
			return p.readList(t, f)
		default:
			return p.readState(c, f)
		}
	}
	return nil
}

// readWrite reads the reply to a write, with what its record says.
func (p *replay) readWrite(c *call, record []reading) []reading {
	i, status := c.intent, c.status()
	if i == nil {
		return nil
	}
	said := func(e effect) []reading { return []reading{{about: i, effect: e}} }
	switch {
	case status < 300 && i.form == notification && c.said().Ref == "":
		return said(effect{to: contract.Accepted}) // such a reply may carry no more than its status
	case status < 300:
		return record
	case status == 409 && c.said().Code == "identifier_conflict":
		return said(effect{to: contract.Conflict})
	case status == 409 && c.said().Code == "void":
		return said(i.without(c.key()))
	case withoutEffect(c) && (status == 429 || status == 503):
		if i.alive < len(i.ids) {
			return said(p.attemptOf(c, contract.NotExecuted))
		}
		return said(p.attemptOf(c, contract.Unsent))
	case withoutEffect(c):
		return said(p.attemptOf(c, contract.Refused))
	}
	return nil
}

// withoutEffect tells whether the reply promises that its attempt had no effect.
func withoutEffect(c *call) bool {
	if c.intent == nil {
		return false
	}
	switch status := c.status(); {
	case status == 429, status == 503 && c.wait() > 0:
		return true
	case status == 409 && c.said().Code == "identifier_conflict":
		return false
	default:
		return status >= 400 && status < 500 && c.intent.promise.NoEffect(status)
	}
}

// attemptOf settles the attempt c alone: what remains depends on whether another
// can have had an effect, and on whether the worker knows that none had.
func (p *replay) attemptOf(c *call, to contract.Standing) effect {
	i, others := c.intent, c.intent.open
	if c.counted() {
		others--
	}
	if others > 0 {
		return effect{}
	}
	e := effect{to: to, restore: true}
	for n := len(i.sends) - 1; n >= 0 && n >= len(i.sends)-maxRecords; n-- {
		e.maybe = e.maybe || i.sends[n].by != c.by
	}
	return e
}

// without is what it says about an intent that one of its identifiers is dead:
// it settles the intent if no other is alive.
func (i *intent) without(key string) effect {
	alive := i.alive
	if id := i.ids[key]; id == nil {
		return effect{}
	} else if !id.dead {
		alive--
	}
	if alive > 0 {
		return effect{}
	}
	return effect{to: contract.NotExecuted}
}

// settleAttempts notes which sends are known to have had no effect now that a
// reply was delivered, whatever is known of others.
func (p *replay) settleAttempts(c *call) {
	if c.intent != nil && !c.noEffect && withoutEffect(c) {
		if c.counted() {
			c.intent.open--
			c.intent.ids[c.key()].open--
		}
		c.noEffect = true
	}
	if i, key := c.buries(); i != nil && !i.ids[key].dead {
		i.ids[key].dead = true
		i.alive--
		i.open -= i.ids[key].open
	}
}

// counted tells whether a send still counts among those that can have had an effect.
func (c *call) counted() bool {
	id := c.intent.ids[c.key()]
	return id != nil && !id.dead && !c.noEffect
}

// buries is the identifier that the reply says was fenced or refused for good,
// and whose it is.
func (c *call) buries() (*intent, string) {
	key, f := c.stated().Key, c.said()
	if c.op.Write && c.op.Name != "void" {
		key = c.key()
		if c.status() != 409 || f.Code != "void" {
			return nil, ""
		}
	} else if c.status() >= 300 || f.Malformed || !final(f) {
		return nil, ""
	}
	i := c.by.task.keys[key]
	if i == nil || !i.same(key) {
		return nil, ""
	}
	return i, key
}

// final tells whether the state of a submission says that it never executes.
func final(f *history.Facts) bool {
	return f.Final && (f.Status == "refused" || f.Status == "void")
}

// readState reads the state of a submission. Unknown is never final, and created
// names a reference but not what it holds: it permits acceptance, and the record
// itself decides.
func (p *replay) readState(c *call, f *history.Facts) []reading {
	key := c.stated().Key
	i := c.by.task.keys[key]
	switch {
	case i == nil:
		return nil
	case f.Status == "created":
		return []reading{{about: i, effect: effect{to: contract.Accepted, maybe: true}}}
	case final(f):
		return []reading{{about: i, effect: i.without(key)}}
	}
	return nil
}

func (p *replay) readList(t *task, f *history.Facts) []reading {
	var out []reading
	for n := range f.Items {
		out = append(out, p.record(t.keys[f.Items[n].Key], &f.Items[n])...)
	}
	return out
}
