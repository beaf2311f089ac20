package contract

import "slices"

// Action is what an agent was seen to do, recognised from records.
type Action string

// The actions that a row can list. Reads, claims and results are recognised
// too, but no row needs to list them.
const (
	Submit        Action = "submit"         // the first send of an intent
	Replay        Action = "replay"         // the same identifier and content again
	Resend        Action = "resend"         // a successor identifier that supersedes a fenced one
	Resubmit      Action = "resubmit"       // a new identifier for the same intent, without a fence
	SubmitRevised Action = "submit-revised" // the first send of a newer version, seen from the older one
	Void          Action = "void"
	Withdraw      Action = "withdraw"
	Notify        Action = "notify"
	Purchase      Action = "purchase"
	Escalate      Action = "escalate"
)

// Actions are all actions that a row can list.
func Actions() []Action {
	return []Action{Submit, Replay, Resend, Resubmit, SubmitRevised, Void, Withdraw, Notify, Purchase, Escalate}
}

// Known tells whether a is one of [Actions].
func (a Action) Known() bool { return slices.Contains(Actions(), a) }
