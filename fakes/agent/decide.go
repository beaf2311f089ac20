package agent

import "time"

// decide is the next move. It follows the contract's rows from the top: what
// was handed over, stopped, cancelled or revised comes before what the
// submission's standing alone would allow.
func (v *view) decide() move {
	b := v.d.current()
	if v.d.Handover != nil {
		return v.p.handedOver(v, b, v.d.Handover)
	}
	if v.stopped {
		if !v.d.sent() {
			return v.conclude("cancelled")
		}
		return v.handOver(v.subject(b), "the run was stopped")
	}
	if v.cancelled {
		if m, ok := v.p.cancel(v, b); ok {
			return m
		}
	} else if v.isRevised() {
		if m, ok := v.p.revise(v, b); ok {
			return m
		}
	}
	if v.p.mayDepend(b) && (b.Purchase == nil || b.Purchase.Standing != accepted) {
		return v.purchase(b)
	}
	switch sub := b.Submit; sub.Standing {
	case unsent:
		return v.first(sub)
	case inDoubt, conflict:
		if v.advising(sub) {
			return move{do: doConsult, in: sub}
		}
		return v.p.pursue(v, sub)
	case refused:
		return v.conclude("refused")
	case notExecuted:
		return v.successor(b)
	default:
		return v.p.follow(v, b)
	}
}

// subject is the intent that an escalation of the bid is about: one that is in
// doubt, else the submission.
func (v *view) subject(b *bid) *intent {
	for _, in := range b.intents() {
		if in.unknown() {
			return in
		}
	}
	return b.Submit
}

// first sends what has not been sent, or what was sent and is known to have had
// no effect.
func (v *view) first(in *intent) move {
	switch {
	case !v.traceable(in.Action):
		return v.conclude("preview")
	case v.denied(in.Action):
		return v.handOver(in, "the confirmation does not permit "+in.Action)
	case in.Attempts >= v.p.budget(v.task.Limits):
		return v.handOver(in, "every attempt was turned away")
	case !in.Began.IsZero() && !v.p.verifying(in, v.task.Limits, v.now):
		return v.handOver(in, "the service could not be reached")
	case in.Asked && in.NextSend.After(periodEnd(in, v.task.Limits)):
		return v.handOver(in, "the service asks for a longer wait than there is time")
	case v.now.Before(in.NextSend):
		return v.wait(in.NextSend)
	}
	return move{do: doSend, in: in}
}

// successor goes on after the submission is known never to execute: under a new
// identifier if it was fenced, not at all if it was refused for good.
func (v *view) successor(b *bid) move {
	switch {
	case !b.Submit.Fenced:
		return v.conclude("refused")
	case v.denied(submitAction):
		return v.handOver(b.Submit, "the confirmation does not permit "+submitAction)
	case b.Submit.Attempts >= v.p.budget(v.task.Limits):
		return v.handOver(b.Submit, "not executed, and no attempt is left")
	}
	return move{do: doSucceed, in: b.Submit}
}

// follow goes on with a submission that exists.
func (v *view) follow(b *bid) move {
	switch b.status() {
	case "declined", "withdrawn":
		if m, ok := v.loose(b); ok {
			return m
		}
		return v.conclude("declined")
	case "approved": // and the purchase is confirmed, see decide
		if m, ok := v.p.repair(v, b); ok {
			return m
		}
		return v.conclude("completed")
	}
	if m, ok := v.p.repair(v, b); ok {
		return m
	}
	return v.track(b)
}

// loose is a notification that is in doubt still when its request was declined: it is
// pursued to its end, or handed over. What was withdrawn is past notifying.
func (v *view) loose(b *bid) (move, bool) {
	if !b.Notify.unknown() || b.status() == "withdrawn" {
		return move{}, false
	}
	return v.p.pursue(v, b.Notify), true
}

// track reads the submission's record now and then; events come between.
func (v *view) track(b *bid) move {
	if v.now.Before(b.Submit.NextQuery) {
		return v.wait(b.Submit.NextQuery)
	}
	p := v.promise(submitAction)
	switch {
	case p.Query.ByRef:
		return move{do: doTrack, in: b.Submit}
	case p.Query.ByKey:
		return move{do: doQuery, in: b.Submit}
	}
	return v.wait(v.now.Add(v.task.Limits.backoffMax()))
}

// notify sends a notification that is known to be missing, and nothing else.
func (v *view) notify(b *bid) (move, bool) {
	if b.Notify == nil {
		if !v.p.missing(b.Submit.Record) || !v.traceable(notifyAction) {
			return move{}, false
		}
		return move{do: doPrepare, action: notifyAction, in: b.Submit}, true
	}
	switch b.Notify.Standing {
	case unsent:
		return v.first(b.Notify), true
	case inDoubt, conflict:
		return v.p.pursue(v, b.Notify), true
	case refused, notExecuted:
		return v.handOver(b.Notify, "the notification was refused"), true
	}
	return move{}, false
}

// purchase makes the purchase, an intent of its own.
func (v *view) purchase(b *bid) move {
	if b.Purchase == nil {
		return move{do: doPrepare, action: purchaseAction, in: b.Submit}
	}
	switch b.Purchase.Standing {
	case unsent:
		return v.first(b.Purchase)
	case inDoubt, conflict:
		return v.p.pursue(v, b.Purchase)
	}
	return v.handOver(b.Purchase, "the purchase was refused")
}

// afterHandover delivers an escalation, listens for a while, and ends.
func (v *view) afterHandover(b *bid, h *handover) move {
	if h.At.IsZero() {
		if v.now.Before(h.NextSend) {
			return v.wait(h.NextSend)
		}
		return move{do: doDeliver}
	}
	if v.stopped || h.Choice == "close" {
		return v.conclude("escalated")
	}
	if v.d.Resubmit {
		return v.afterResubmit(b)
	}
	if !h.Resolved && !b.Submit.unknown() {
		return move{do: doAmend, in: b.Submit}
	}
	if h.Choice == "resubmit" && b.Submit.Standing == inDoubt {
		return move{do: doSucceed, in: b.Submit}
	}
	end := h.At.Add(v.p.linger(v.task.Limits))
	if h.Choice == "wait" {
		end = h.ChosenAt.Add(v.task.Limits.period())
		if b.Submit.unknown() && v.promise(submitAction).Query.ByKey && v.now.Before(end) {
			if v.now.Before(b.Submit.NextQuery) {
				return v.wait(earlier(end, b.Submit.NextQuery))
			}
			return move{do: doQuery, in: b.Submit}
		}
	}
	if v.now.Before(end) {
		return v.wait(end)
	}
	return v.conclude("escalated")
}

// afterResubmit sends the one successor that a person allowed. What becomes of
// it is told; nothing that depends on it is begun.
func (v *view) afterResubmit(b *bid) move {
	sub := b.Submit
	if v.cancelled || v.denied(submitAction) {
		return v.conclude("escalated")
	}
	switch sub.Standing {
	case unsent:
		if sub.Attempts > 0 {
			return v.conclude("escalated")
		}
		if v.now.Before(sub.NextSend) {
			return v.wait(sub.NextSend)
		}
		return move{do: doSend, in: sub}
	case inDoubt:
		if v.p.verifying(sub, v.task.Limits, v.now) && v.promise(submitAction).Query.ByKey {
			if v.now.Before(sub.NextQuery) {
				return v.wait(sub.NextQuery)
			}
			return move{do: doQuery, in: sub}
		}
	}
	return v.conclude("escalated")
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
