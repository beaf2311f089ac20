package judge

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// facts are those beside the standing that surely hold for one worker at one
// instant, and those that may.
func (p *replay) facts(i *intent, w *work, at time.Duration) (sure, open contract.Facts) {
	set := func(f contract.Fact, holds tri) {
		sure, open = sure.With(f, holds == yes), open.With(f, holds == maybe)
	}
	pr, root, m := i.promise, i.root(), i.root().mind(w)
	set(contract.Idempotent, known(pr.Idempotency.Supported))
	set(contract.Protected, p.protected(i, at))
	set(contract.Queryable, known(pr.Query.ByKey))
	set(contract.VoidPromised, known(pr.Void))
	set(contract.InPeriod, p.inPeriod(i, w, at))
	set(contract.AttemptsLeft, p.attemptsLeft(i, w))
	set(contract.WaitExceedsPeriod, p.waitExceedsPeriod(i))
	set(contract.Unauthorized, p.unauthorized(i, w, at))
	// What answers a cancellation or a revision, or repairs a part, is not stopped by it.
	if i.form == submission || i.form == purchase {
		set(contract.Cancelled, p.inForce(history.Cancel, w, at))
	}
	if i.form == submission {
		set(contract.Revised, p.revised(i, w, at))
	}
	set(contract.Decided, p.decided(w, at))
	set(contract.Closed, p.closed(i, w, at))
	set(contract.Stopped, p.inForce(history.Stop, w, at))
	set(contract.Escalated, w.escalation(i))
	set(contract.WithdrawWanted, known(w.task.onCancel == "withdraw"))
	set(contract.Withdrawable, p.withdrawable(root, w, at))
	set(contract.WithdrawTried, root.depends[withdrawal].begun(w))
	set(contract.PurchaseSent, root.depends[purchase].underWay(w))
	set(contract.NotificationMissing, m.missing)
	return sure, open
}

// protected tells whether a replay that leaves now is still recognised: the
// agent's clock starts at its own first byte, since it can not know when the
// service received it.
func (p *replay) protected(i *intent, at time.Duration) tri {
	keeps := i.promise.Idempotency.Retention()
	switch id := i.last; {
	case !i.promise.Idempotency.Supported:
		return no
	case id == nil && i.beganN == 0:
		return yes
	case id == nil: // it may have been recorded, and have left, just before a kill
		return within(at, i.began+keeps-p.early(i, at), forever)
	case id.key == "":
		return no
	default:
		return within(at, id.first+keeps-p.early(i, at), id.late+keeps+p.blur(id.late, at))
	}
}

// early is how much earlier than the wire shows an agent may count from: its
// record of a send that a kill may have cut off is older than the kill.
func (p *replay) early(i *intent, at time.Duration) time.Duration {
	noise := p.blur(i.began, at)
	if len(i.sends) == 0 || i.sends[0].sent.N != i.beganN {
		return p.limits.Reaction(noise)
	}
	return noise
}

// inPeriod tells whether the verification period runs. It begins with the first
// byte of the first send and runs through kills.
func (p *replay) inPeriod(i *intent, w *work, at time.Duration) tri {
	if i.beganN == 0 {
		return yes
	}
	late := p.limits.Slack(p.blur(i.beganLate, at)) + w.process.frozen(w.given, at)
	return within(at, i.began+p.limits.VerificationPeriod-p.early(i, at), i.beganLate+p.limits.VerificationPeriod+late)
}

// within tells whether an instant is before a bound that lies between early and late.
func within(at, early, late time.Duration) tri {
	switch {
	case at < early:
		return yes
	case at > late:
		return no
	default:
		return maybe
	}
}

// attemptsLeft tells whether the budget allows one more send: one more for each
// kill. Attempts that the wire does not show are spent too: connections that were
// refused, what was recorded just before a kill, and what a worker beside this
// one has recorded and not sent yet.
func (p *replay) attemptsLeft(i *intent, w *work) tri {
	t := i.task
	switch hidden := t.kills + w.beside(); {
	case len(i.sends) >= p.limits.MaxAttempts+t.kills:
		return no
	case t.refused, len(i.sends) >= p.limits.MaxAttempts-hidden:
		return maybe
	}
	return yes
}

// waitExceedsPeriod tells whether a service has asked for a wait that outlasts the
// verification period.
func (p *replay) waitExceedsPeriod(i *intent) tri {
	if i.waitsUntil > 0 && i.waitsUntil+p.blur(i.began) >= i.began+p.limits.VerificationPeriod {
		return maybe
	}
	return no
}

// withdrawable tells whether the submission can be withdrawn: its state is one
// in which that is accepted, and a withdrawal is authorized and can be verified.
func (p *replay) withdrawable(i *intent, w *work, at time.Duration) tri {
	own := p.setup.Guarantees[formings[withdrawal].operation]
	if !own.Idempotency.Supported && !own.Query.ByKey {
		return no
	}
	return both(p.withdrawableBy(i.mind(w).set), p.denied(i.confirm.id, formings[withdrawal].permission, w, at).not())
}

// withdrawableBy tells whether a submission that stands in one of these ways is
// in a state in which a withdrawal is accepted.
func (p *replay) withdrawableBy(set contract.Standings) tri {
	n := tally{}
	for _, s := range set.All() {
		state := "pending"
		if s == contract.Approved || s == contract.Declined || s == contract.Withdrawn {
			state = s.String()
		}
		n[known(p.canWithdraw(state))]++
	}
	switch {
	case n[no] == 0:
		return yes
	case n[yes] == 0:
		return no
	}
	return maybe
}

// canWithdraw tells whether the services promise to withdraw a submission in
// this state.
func (p *replay) canWithdraw(state string) bool {
	return p.setup.Guarantees[formings[submission].operation].Withdrawable(state) || p.setup.Guarantees[formings[withdrawal].operation].Withdrawable(state)
}

// begun tells whether the worker knows that a dependent intent was sent, or
// recorded to be sent.
func (i *intent) begun(w *work) tri {
	switch {
	case i == nil:
		return no
	case len(i.sends) == 0 && i.task.kills == 0:
		return no
	case len(i.sends) == 0:
		return maybe // the record of it may have been made before a kill
	case i.sends[0].sent.N < w.givenN, i.mind(w).last != nil:
		return yes
	}
	return maybe // by a worker beside it
}

// underWay tells whether the worker knows that a dependent intent was sent and
// can have had an effect.
func (i *intent) underWay(w *work) tri {
	begun := i.begun(w)
	if begun == no {
		return no
	}
	switch set := i.mind(w).set; {
	case set.Only(contract.Unsent):
		return no
	case set.Any(contract.Unsent, contract.Refused, contract.NotExecuted):
		return maybe
	}
	return begun
}

// escalation tells whether the worker knows that the matter was handed to a
// person.
func (w *work) escalation(i *intent) tri {
	switch first := w.task.escalated[i.confirm.id]; {
	case first == nil:
		return no
	case w.escalated[i.confirm.id], first.N < w.givenN:
		return yes
	}
	return maybe // by a worker beside it
}
