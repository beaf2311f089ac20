package agent

import (
	"slices"
	"time"
)

// verb is what a move does.
type verb string

const (
	doSend     verb = "send"      // the intent's write, first time or again
	doPrepare  verb = "prepare"   // record a dependent intent: action
	doQuery    verb = "query"     // look the intent up
	doTrack    verb = "track"     // read the submission's own record
	doFence    verb = "fence"     // void the intent's identifier
	doSucceed  verb = "succeed"   // record a successor of the submission
	doRevise   verb = "revise"    // record the submission of a newer version
	doHandOver verb = "hand over" // record an escalation about the intent
	doAmend    verb = "amend"     // record what an escalation did not know
	doConsult  verb = "consult"   // ask the adviser about the intent
	doDeliver  verb = "deliver"   // send the escalation
	doWait     verb = "wait"      // until an instant or a change
	doConclude verb = "conclude"  // the confirmation leads to a result: status
)

// move is the next thing to do about a confirmation.
type move struct {
	do     verb
	in     *intent
	action string
	until  time.Time
	status string
	claim  string // the last claim, where it is not the status's own
	silent bool   // say nothing of what is unverified
	reason string
}

// same tells whether two moves mean the same write.
func (m move) same(o move) bool {
	return m.do == o.do && m.action == o.action && (m.in == nil) == (o.in == nil) && (m.in == nil || m.in.Key == o.in.Key)
}

// view is everything that a decision rests on. Deciding reads it and nothing
// else: no clock, no file, no wire.
type view struct {
	p    *policies
	task task
	d    *dossier
	now  time.Time

	cancelled, stopped bool
	newer              *confirmation  // a newer version than the current bid's, as the inbox gave it
	auth               *authorization // as it was last answered to this process; nil before
}

func (v *view) promise(action string) promise {
	operation, _ := address(nil, action, "")
	return v.task.Guarantees[operation]
}

// traceable tells whether an action has any promise that lets its outcome be
// recovered; without one it is not sent by a program.
func (v *view) traceable(action string) bool {
	return v.p.recoverable(v.promise(action))
}

// denied tells whether the authorization of an action is known to be invalid.
// Taking back is judged by its own permission alone.
func (v *view) denied(action string) bool { return v.p.denied(action, v.unpermitted(action)) }

func (v *view) unpermitted(action string) bool {
	if v.auth == nil {
		return false
	}
	if !slices.Contains(v.auth.Permissions, action) {
		return true
	}
	b := v.d.current()
	return action != withdrawAction &&
		(!v.auth.Valid || v.auth.CurrentVersion == b.Submit.Confirmation.Version && v.auth.Digest != b.Submit.Confirmation.Digest)
}

// isRevised tells whether a newer version than the current bid's exists.
func (v *view) isRevised() bool {
	at := v.d.current().Submit.Confirmation.Version
	return v.p.revised(v.newer != nil || v.auth != nil && v.auth.CurrentVersion > at)
}

func (v *view) wait(until time.Time) move { return move{do: doWait, until: until} }

func (v *view) conclude(status string) move { return move{do: doConclude, status: status} }

// handOver asks a person, about the intent if it was sent and else about the
// submission that it rests on.
func (v *view) handOver(in *intent, reason string) move {
	if in.Attempts == 0 {
		in = v.d.current().Submit
	}
	return move{do: doHandOver, in: in, reason: reason}
}
