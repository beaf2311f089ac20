package judge

import (
	"strconv"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// situation is one way in which things can have stood for a worker at an
// instant, and the row that it leads to.
type situation struct {
	standing contract.Standing
	facts    contract.Facts
	row      *contract.Row
}

// tri is whether a fact holds: the evidence may not force it.
type tri uint8

const (
	no tri = iota
	maybe
	yes
)

// fact is a fact with what is known about it.
type fact struct {
	fact contract.Fact
	is   tri
}

func is(f contract.Fact, holds bool) fact {
	if holds {
		return fact{f, yes}
	}
	return fact{f, no}
}

// situations are all ways in which the intent can have stood for the worker.
// Every uncertain fact is tried both ways.
func (p *replay) situations(i *intent, w *work, at time.Duration) []situation {
	facts := p.facts(i, w, at)
	var sure contract.Facts
	var uncertain [len(facts)]contract.Fact
	open := uncertain[:0]
	for _, f := range facts {
		switch f.is {
		case yes:
			sure = sure.With(f.fact, true)
		case maybe:
			open = append(open, f.fact)
		}
	}
	all := make([]situation, 0, 4)
	for _, standing := range i.mind(w).set.All() {
		for bits := 0; bits < 1<<len(open); bits++ {
			s := situation{standing: standing, facts: sure}
			for n, f := range open {
				s.facts = s.facts.With(f, bits&(1<<n) != 0)
			}
			if row, ok := p.table.Match(standing, s.facts); ok {
				s.row = row
				all = append(all, s)
			}
		}
	}
	return all
}

// facts are the facts beside the standing, for one worker at one instant.
func (p *replay) facts(i *intent, w *work, at time.Duration) [17]fact {
	pr := i.promise
	own := i.form == withdrawal || i.form == notification // not stopped by what they answer to
	root := i
	if i.of != nil {
		root = i.of
	}
	cancelled, revised := p.inForce(history.Cancel, w, at), p.revised(root, w, at)
	if own {
		cancelled, revised = no, no
	}
	if i.form == purchase {
		revised = no
	}
	tried := w.task.dependent(withdrawal, root)
	bought := w.task.dependent(purchase, root)
	return [17]fact{
		is(contract.Idempotent, pr.Idempotency.Supported),
		{contract.Protected, p.protected(i, at)},
		is(contract.Queryable, pr.Query.ByKey),
		is(contract.VoidPromised, pr.Void),
		{contract.InPeriod, p.inPeriod(i, w, at)},
		is(contract.AttemptsLeft, len(i.sends) < p.limits.MaxAttempts+w.task.kills),
		{contract.Unauthorized, p.unauthorized(i, w, at)},
		{contract.Cancelled, cancelled},
		{contract.Revised, revised},
		{contract.Decided, p.inForce(history.Decision, w, at)},
		{contract.Stopped, p.inForce(history.Stop, w, at)},
		is(contract.Escalated, len(w.task.escalations) > 0),
		is(contract.WithdrawWanted, w.task.onCancel == "withdraw"),
		{contract.Withdrawable, p.withdrawable(root, w)},
		is(contract.WithdrawTried, tried != nil && len(tried.sends) > 0),
		is(contract.PurchaseSent, bought != nil && len(bought.sends) > 0),
		is(contract.NotificationMissing, p.missing[root]),
	}
}

// protected tells whether a replay that leaves now is still recognised: the
// agent's clock starts at its own first byte, since it can not know when the
// service received it.
func (p *replay) protected(i *intent, at time.Duration) tri {
	if !i.promise.Idempotency.Supported {
		return no
	}
	if len(i.sends) == 0 {
		return yes
	}
	return p.before(at, i.sends[0].first()+i.promise.Idempotency.Retention(), 0, p.noise)
}

// inPeriod tells whether the verification period runs. It begins with the first
// byte of the first send and runs through kills.
func (p *replay) inPeriod(i *intent, w *work, at time.Duration) tri {
	if i.beganN == 0 {
		return yes
	}
	early := p.noise
	if len(i.sends) == 0 || i.sends[0].sent.N != i.beganN {
		early = max(early, p.reaction) // it began with a kill, and the agent's record is older than that
	}
	return p.before(at, i.began+p.limits.VerificationPeriod, early, i.beganLate-i.began+p.limits.Slack(p.noise)+w.frozen)
}

// before tells whether at is before the bound: maybe within early before it and
// late after it.
func (p *replay) before(at, bound, early, late time.Duration) tri {
	switch {
	case at < bound-early:
		return yes
	case at > bound+late:
		return no
	default:
		return maybe
	}
}

// inForce tells whether a change of the task binds the worker: from its
// delivery, or attempt_timeout + reaction after it was placed, whichever is
// first; before that, from the moment it was placed, it may.
func (p *replay) inForce(kind string, w *work, at time.Duration) tri {
	ch := w.task.changes[kind]
	if ch == nil || at < ch.placed.At {
		return no
	}
	if kind == history.Decision {
		if _, ok := w.seen[kind]; !ok {
			if _, offered := w.offered[kind]; offered {
				return maybe
			}
			return no // nothing binds the agent to a decision that it was not given
		}
	}
	return p.bound(ch.placed.At, kind, w, at)
}

func (p *replay) bound(placed time.Duration, key string, w *work, at time.Duration) tri {
	if seen, ok := w.seen[key]; ok && at >= seen {
		return yes
	}
	if at > max(placed, w.given)+p.limits.AttemptTimeout+p.reaction+p.noise+w.frozen {
		return yes
	}
	return maybe
}

func (p *replay) revised(i *intent, w *work, at time.Duration) tri {
	out := no
	for _, ch := range w.task.revisions {
		if ch.placed.Facts.Confirmation != i.confirm.id || ch.version <= i.confirm.version || at < ch.placed.At {
			continue
		}
		out = max(out, p.bound(ch.placed.At, revisionKey(ch.version), w, at))
	}
	return out
}

func revisionKey(version int) string { return history.Revise + ":" + strconv.Itoa(version) }

// unauthorized tells whether the worker knows that it may not write. Only what
// it was told counts.
func (p *replay) unauthorized(i *intent, w *work, at time.Duration) tri {
	was := func(r *history.Record) bool {
		if r == nil {
			return false
		}
		valid := r.Control.Valid
		for _, have := range r.Control.Permissions {
			if have == i.form.permission() {
				return !valid && i.form != withdrawal
			}
		}
		return true
	}
	now, before := was(w.checked), was(w.checkedWas)
	if now == before || w.checkedWas == nil || w.checked.At-w.checkedWas.At > p.reaction {
		if now {
			return yes
		}
		return no
	}
	if at > w.checked.At+p.reaction {
		if now {
			return yes
		}
		return no
	}
	return maybe
}

// withdrawable tells whether the record is in a state in which a withdrawal is accepted.
func (p *replay) withdrawable(i *intent, w *work) tri {
	promise := p.setup.Guarantees["approval.submit"] // the states belong to what is withdrawn
	set := i.mind(w).set
	some, all := false, true
	for _, s := range set.All() {
		state := "pending"
		if s == contract.Approved || s == contract.Declined || s == contract.Withdrawn {
			state = s.String()
		}
		if promise.Withdrawable(state) {
			some = true
		} else {
			all = false
		}
	}
	switch {
	case some && all:
		return yes
	case some:
		return maybe
	}
	return no
}
