package agent

// cancel is what a cancelled task does about a submission. What is in doubt
// goes on being verified, so that is left to pursue.
func (v *view) cancel(b *bid) (move, bool) {
	switch b.Submit.Standing {
	case unsent, refused, notExecuted:
		return v.conclude("cancelled"), true
	case inDoubt, conflict:
		return move{}, false
	}
	switch b.status() {
	case "withdrawn", "declined":
		if m, ok := v.loose(b); ok {
			return m, true
		}
		if b.status() == "declined" {
			return v.conclude("declined"), true
		}
		return v.conclude("cancelled"), true
	case "approved":
		if bought(b) {
			return move{}, false
		}
		return v.handOver(b.Submit, "cancelled after it was approved"), true
	}
	return v.withdraw(b, v.task.OnCancel == "withdraw", "cancelled after it was accepted"), true
}

// revise is what a newer version does about the older submission.
func (v *view) revise(b *bid) (move, bool) {
	switch b.Submit.Standing {
	case unsent, refused, notExecuted:
		return v.adopt(), true
	case inDoubt, conflict:
		return move{}, false
	}
	switch b.status() {
	case "withdrawn", "declined":
		if m, ok := v.loose(b); ok {
			return m, true
		}
		return v.adopt(), true
	case "approved":
		if bought(b) {
			return move{}, false
		}
		return v.handOver(b.Submit, "revised after it was approved"), true
	}
	return v.withdraw(b, true, "revised after it was accepted"), true
}

// adopt goes on with the newer version, once the inbox has told its content.
func (v *view) adopt() move {
	if v.newer == nil {
		return v.wait(v.now.Add(v.task.Limits.backoffMax()))
	}
	return move{do: doRevise}
}

// bought tells whether a purchase may have been made.
func bought(b *bid) bool {
	return b.Purchase != nil && (b.Purchase.Open > 0 || b.Purchase.Standing == accepted || b.Purchase.unknown())
}

// withdraw takes a submission back by an intent of its own, and believes it
// only when the submission's record says so.
func (v *view) withdraw(b *bid, wanted bool, reason string) move {
	if b.Withdraw == nil {
		if !wanted || !v.withdrawPromise().withdrawable(b.status()) || !v.traceable(withdrawAction) || v.denied(withdrawAction) {
			return v.handOver(b.Submit, reason)
		}
		return move{do: doPrepare, action: withdrawAction, in: b.Submit}
	}
	w := b.Withdraw
	switch w.Standing {
	case unsent:
		return v.first(w)
	case inDoubt, conflict:
		return v.p.pursue(v, w)
	}
	seen := w.Since > 0
	open := !seen || w.Standing == accepted && v.p.verifying(w, v.task.Limits, v.now)
	if open && v.promise(submitAction).Query.ByRef {
		if v.now.Before(b.Submit.NextQuery) {
			return v.wait(b.Submit.NextQuery)
		}
		return move{do: doTrack, in: b.Submit}
	}
	return v.handOver(b.Submit, reason+", and it could not be withdrawn")
}

// withdrawPromise says in which states a withdrawal is taken.
func (v *view) withdrawPromise() promise {
	if p := v.promise(withdrawAction); len(p.WithdrawStates) > 0 {
		return p
	}
	return v.promise(submitAction)
}
