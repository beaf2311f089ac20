package agent

import "time"

// pursue is the next move about an intent that a send left in doubt: fence it,
// replay it while the service still recognises it, or look it up, until the
// verification period is over or nothing is left to try.
func (v *view) pursue(in *intent) move {
	l, p := v.task.Limits, v.promise(in.Action)
	if in.Standing == conflict {
		if p.Query.ByKey && in.Since == 0 && v.p.verifying(in, l, v.now) {
			return v.lookUp(in)
		}
		return v.p.exhausted(v, in, "the identifier carries other content")
	}
	if !v.p.verifying(in, l, v.now) {
		return v.p.exhausted(v, in, "the verification period is over")
	}
	barred := v.barred(in)
	left := in.Attempts < v.p.budget(l)
	patience := v.p.patience(in.Attempts)
	if in.asksFirst() {
		patience = max(patience, 1)
	}
	replay := !barred && left && !in.Hopeless && patience < never &&
		v.p.protected(in, p, l, later(v.now, in.NextSend))
	if v.fencing(in, p, replay) {
		if v.now.Before(in.NextVoid) {
			return v.wait(earlier(in.NextVoid, in.NextQuery))
		}
		return move{do: doFence, in: in}
	}
	if replay && (in.Since >= patience || !v.searchable(in, p)) {
		if !v.now.Before(in.NextSend) {
			return move{do: doSend, in: in}
		}
		if !in.Asked && !in.Underway || !v.searchable(in, p) {
			return v.wait(in.NextSend)
		}
		if v.now.Before(in.NextQuery) { // a long wait binds the write, not the reads
			return v.wait(earlier(in.NextSend, in.NextQuery))
		}
	}
	if v.searchable(in, p) {
		return v.lookUp(in)
	}
	// Only time can help: while the service would still recognise a replay, asking a person is premature.
	if p.Idempotency.Supported && left && !barred {
		lapse := in.FirstSent.Add(p.retention() + l.attemptTimeout()/4)
		if lapse = earlier(lapse, periodEnd(in, l)); v.now.Before(lapse) {
			return v.wait(lapse)
		}
	}
	return v.p.exhausted(v, in, "there is no safe way left to find out")
}

// barred tells whether nothing may be sent for an intent any more.
func (v *view) barred(in *intent) bool {
	switch in.Action {
	case submitAction:
		return v.cancelled || v.isRevised() || v.denied(in.Action)
	case purchaseAction:
		return v.cancelled || v.denied(in.Action)
	default:
		return v.denied(in.Action)
	}
}

// fencing tells whether the identifier is to be fenced now: to end a cancelled
// or revised submission, or, for what cannot be replayed and has not been found
// in half of the period, to be able to send it again, or to hand it over as not
// executed instead of unknown.
func (v *view) fencing(in *intent, p promise, replay bool) bool {
	if in.Action != submitAction || !p.Void || in.Fences >= v.p.budget(v.task.Limits) || v.denied(submitAction) {
		return false
	}
	if v.cancelled || v.isRevised() {
		return true
	}
	half := in.FirstSent.Add(v.task.Limits.period() / 2)
	return !replay && v.p.patience(in.Attempts) < never && v.now.After(half)
}

// searchable tells whether there is something to ask about an intent. What
// depends on a submission shows in its record too, which is worth one look.
func (v *view) searchable(in *intent, p promise) bool {
	if p.Query.ByKey {
		return true
	}
	dependent := in.Action == withdrawAction || in.Action == notifyAction
	return dependent && v.promise(submitAction).Query.ByRef && in.Since == 0
}

// lookUp asks at the next query's time. The end of the verification period is
// not slept over.
func (v *view) lookUp(in *intent) move {
	if v.now.Before(in.NextQuery) {
		if end := periodEnd(in, v.task.Limits); v.now.Before(end) {
			return v.wait(earlier(in.NextQuery, end))
		}
		return v.wait(in.NextQuery)
	}
	return move{do: doQuery, in: in}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
