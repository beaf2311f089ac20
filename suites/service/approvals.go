package service

import (
	"context"
	"encoding/json"
	"time"
)

// Approvals is a client of an approval service. Its methods are safe for
// concurrent use, never repeat a request by themselves, and return an error only
// when no answer came that can be read: nothing is known then about what was
// done. A refusal is an answer.
type Approvals interface {
	// Submit asks for an approval under an identifier.
	Submit(ctx context.Context, s Submission) (Answer, error)
	// Track reads one approval by its reference, from where it is always up to date.
	Track(ctx context.Context, ref string) (Answer, error)
	// Query finds the approvals of an identifier.
	Query(ctx context.Context, key string) (Found, error)
	// State tells what has become of an identifier.
	State(ctx context.Context, key string) (State, error)
	// Void fences an identifier and tells what has become of it.
	Void(ctx context.Context, key string) (State, error)
	// Withdraw takes an approval back.
	Withdraw(ctx context.Context, w Withdrawal) (Answer, error)
	// Notify sends the notification of a decision again, under an identifier.
	Notify(ctx context.Context, ref, key string) (Answer, error)
}

// Submission is a confirmed request.
type Submission struct {
	_ struct{}

	Key          string // the identifier; "": none
	Confirmation string
	Version      int
	Tenant       string
	Object       string
	Content      json.RawMessage // an object
	Digest       string          // of the content, opaque
	Supersedes   string          // a fenced identifier; "": none
}

// Withdrawal names what is to be withdrawn, by its reference or by the
// identifier of its submission.
type Withdrawal struct {
	_ struct{}

	Key string // its own identifier
	Ref string // "": Of
	Of  string
}

// Kind says what an answer means.
type Kind string

// The kinds of an answer.
const (
	Accepted Kind = "accepted" // the record is there
	Later    Kind = "later"    // taken, and not carried out yet: a queue number, say
	Refused  Kind = "refused"  // this attempt was refused
	Absent   Kind = "absent"   // there is nothing by that name
	Unclear  Kind = "unclear"  // an answer that the contract does not give a meaning, such as a 502
)

// Answer is what a service says to a request about one record.
type Answer struct {
	_ struct{}

	Kind     Kind
	Record   Record // of what was accepted
	Code     string // of a refusal
	NoEffect bool   // a refusal that promises that this attempt had no effect
	Text     string // the answer as it came, for messages
}

// The states of a record.
const (
	Pending   = "pending"
	Approved  = "approved"
	Declined  = "declined"
	Withdrawn = "withdrawn"
)

// The codes of refusals that have a meaning of their own.
const (
	CodeConflict = "identifier_conflict" // the identifier carries other content
	CodeVoid     = "void"                // the identifier was fenced
	CodeState    = "state"               // not in this state of the record
)

// Record is one approval.
type Record struct {
	_ struct{}

	Ref          string
	Key          string
	Tenant       string
	Object       string
	Confirmation string
	Version      int
	Content      json.RawMessage
	Digest       string
	Status       string // Pending, Approved, Declined or Withdrawn
	Seq          int    // of this record: later states have higher numbers
}

// Found is the answer to a query.
type Found struct {
	_ struct{}

	Records []Record
	Replica bool      // it may be old
	AsOf    time.Time // zero: the service does not say
}

// The states of an identifier.
const (
	StateUnknown    = "unknown"
	StateProcessing = "processing"
	StateCreated    = "created"
	StateRefused    = "refused"
	StateVoid       = "void"
)

// State is what has become of an identifier. Final says that it stays so:
// nothing was done under it, and nothing will be.
type State struct {
	_ struct{}

	State string
	Final bool
	Ref   string // of what was created; "": none
}
