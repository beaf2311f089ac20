package judge

import (
	"slices"
	"strconv"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// inForce tells whether a change of the task binds the worker: from its
// delivery, or attempt_timeout + reaction after it was placed, whichever is
// first; before that, from the moment it was placed, it may.
func (p *replay) inForce(kind string, w *work, at time.Duration) tri {
	ch := w.task.changes[kind]
	if ch == nil || at < ch.placed.At {
		return no
	}
	return p.bound(ch.placed.At, kind, w, at)
}

func (p *replay) bound(placed time.Duration, key string, w *work, at time.Duration) tri {
	if seen, ok := w.seen[key]; ok && at >= seen {
		return yes
	}
	from := max(placed, w.given)
	noise := p.blur(from, at)
	if at > from+p.limits.AttemptTimeout+p.limits.Reaction(noise)+noise+w.process.frozen(from, at) {
		return yes
	}
	return maybe
}

// decided tells whether the worker was given a person's decision. Nothing binds
// it to one that it was not given.
func (p *replay) decided(w *work, at time.Duration) tri {
	seen, ok := w.seen[history.Decision]
	switch {
	case ok && at >= seen:
		return yes
	case len(w.task.choices) > 0: // offered to it, or to a worker whose notes it reads
		return maybe
	}
	return no
}

// closed tells whether the worker was told that a person has closed the matter.
func (p *replay) closed(i *intent, w *work, at time.Duration) tri {
	for _, matter := range []string{i.confirm.id, ""} {
		if seen, ok := w.seen[closingKey(matter)]; ok && at >= seen {
			return yes
		}
	}
	if t := w.task; t.closed[i.confirm.id] || t.closed[""] {
		return maybe // it was offered, or another worker was told
	}
	return no
}

func closingKey(confirmation string) string { return history.Decision + ":close:" + confirmation }

// closes takes in that a person has closed a matter, and returns by what name it
// binds: a decision that names no escalation of this task is about all of it.
func (p *replay) closes(t *task, decision *history.Record) string {
	matter := t.handed[decision.Control.Escalation]
	put(&t.closed, matter, true)
	return closingKey(matter)
}

// revised tells whether a newer version of a submission binds the worker.
func (p *replay) revised(i *intent, w *work, at time.Duration) tri {
	ch := i.revised
	if ch == nil || at < ch.placed.At {
		return no
	}
	return p.bound(ch.placed.At, revisionKey(i.confirm.id, ch.version), w, at)
}

func revisionKey(confirmation string, version int) string {
	return history.Revise + ":" + strconv.Itoa(version) + ":" + confirmation
}

// superseded notes that a worker was told of a version of a confirmation, and
// so that those before it are revised.
func (p *replay) superseded(w *work, confirmation string, version int, from time.Duration) {
	newest := min(version, w.task.latest[confirmation])
	for v := newest; v > 1 && v > newest-recentIntents; v-- {
		key := revisionKey(confirmation, v)
		if old, ok := w.seen[key]; ok && old <= from {
			return
		}
		put(&w.seen, key, from)
	}
}

// unauthorized tells whether the worker knows that it may not write. Only what
// it was told counts: by the control plane, or by a service that forbids it,
// which the control plane's next answer may overrule.
func (p *replay) unauthorized(i *intent, w *work, at time.Duration) tri {
	permission := i.form.permission()
	denied := p.denied(i.confirm.id, permission, w, at)
	if denied == no && i.forbidden {
		return maybe
	}
	return denied
}

// denied tells whether the worker was told that a permission is gone, or for all
// but taking back that the confirmation is. Another of its threads may still act
// on what it was told a moment before.
func (p *replay) denied(confirmation, permission string, w *work, at time.Duration) tri {
	ch := w.checks[confirmation]
	if ch == nil {
		return no
	}
	says := func(r *history.Record) tri {
		return known(r != nil && (!slices.Contains(r.Control.Permissions, permission) ||
			!r.Control.Valid && permission != formings[withdrawal].permission))
	}
	if ch.before != nil && ch.last.At-ch.before.At <= p.reaction(ch.last.At) && at <= ch.last.At+p.reaction(ch.last.At) {
		return either(says(ch.last), says(ch.before))
	}
	return says(ch.last)
}
