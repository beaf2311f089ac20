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
	record recordKey // which says so
}

// recordKey is one state of one record.
type recordKey struct {
	ref string
	seq int
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
	case failedAgain(c):
		e := p.attemptOf(c, contract.Unsent)
		e.maybe = true
		return append(record, reading{about: i, effect: e})
	case status < 300:
		return record
	case status == 409 && c.said().Code == "identifier_conflict":
		clash := said(effect{to: contract.Conflict})
		if c.spoilt() && i.promise.NoEffect(status) { // the code may not have been readable
			clash = append(clash, reading{about: i, effect: p.attemptOf(c, contract.Refused)})
		}
		return clash
	case status == 409 && c.said().Code == "void":
		e := burying(i, c.key())
		e.maybe = true // no interface contract says so
		return said(e)
	case withoutEffect(c) && (status == 429 || status == 503):
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
	case status == 409 && c.said().Code == "identifier_conflict" && !c.spoilt():
		return false
	default:
		return status >= 400 && status < 500 && c.intent.promise.NoEffect(status)
	}
}

// failedAgain tells whether the reply to a notification says that it failed once
// more: it may be taken for an attempt without effect.
func failedAgain(c *call) bool {
	return c.intent != nil && c.intent.form == notification && c.status() < 300 && c.said().Notification == "failed"
}

// attemptOf settles the attempt c alone: what remains depends on whether another
// can have had an effect, and on whether the worker knows that none had.
func (p *replay) attemptOf(c *call, to contract.Standing) effect {
	i := c.intent
	others := i.others(c)
	if others == no {
		return effect{}
	}
	if to == contract.Unsent && i.buried {
		to = contract.NotExecuted // as it was before this attempt
	}
	e := effect{to: to, restore: true, maybe: others == maybe}
	for n := len(i.sends) - 1; n >= 0 && n >= len(i.sends)-maxRecords; n-- {
		e.maybe = e.maybe || i.sends[n].by != c.by
	}
	return e
}

// burying says of an intent that one of its identifiers is dead: that settles
// it if nothing that was sent under another can have had an effect.
func burying(i *intent, key string) effect {
	others := i.without(key)
	if others == no || !i.same(key) {
		return effect{}
	}
	return effect{to: contract.NotExecuted, maybe: others == maybe}
}

// settleAttempts notes which sends are known to have had no effect, or may be
// known to, now that a reply may have been delivered.
func (p *replay) settleAttempts(c *call, how delivery) {
	is := known(how == delivered)
	if how == ambiguous {
		is = maybe
	}
	switch {
	case c.write && withoutEffect(c):
		c.intent.spend(c, is)
	case c.write && failedAgain(c):
		c.intent.spend(c, maybe)
	}
	if key := c.stated().Key; !c.op.Write || c.op.Name == "void" {
		if i := c.by.task.keys[key]; i != nil && c.status() < 300 && !c.said().Malformed && final(c.said()) {
			i.bury(key, is)
		}
	}
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
		return []reading{{about: i, effect: burying(i, key)}}
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
