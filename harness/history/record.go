package history

import (
	"encoding/json"
	"time"
)

// Kind says what a record is about. The part before the dot is who saw it.
type Kind string

// The kinds. The payload named beside each is the field of [Record] that is set.
const (
	RunStarted Kind = "run.started" // Run: first record of every history
	RunNoise   Kind = "run.noise"   // Run: the scheduling delay measured over the scenario
	RunEnded   Kind = "run.ended"   // Run: last record; Reason says why the run stopped watching

	ConnOpened Kind = "conn.opened" // Wire: the gate accepted a connection
	ConnEnded  Kind = "conn.ended"  // Wire: By and How; once a direction, the client's side decides deliveries

	CallSent      Kind = "call.sent"      // Wire, Facts: the request is at the gate, nothing of it has been passed on
	CallForwarded Kind = "call.forwarded" // Wire: its last byte was written to the service
	CallReplied   Kind = "call.replied"   // Wire, Facts: the service's reply is at the gate, the client has none of it; of one that flows, the last such record counts
	CallPassing   Kind = "call.passing"   // Wire: the last byte that the client will get is about to be written to its socket
	CallPassed    Kind = "call.passed"    // Wire: that write returned; Size bytes of the reply were written in all

	ServiceReceived  Kind = "service.received"  // Wire: the service has the request
	ServiceValidated Kind = "service.validated" // Wire
	ServiceCommitted Kind = "service.committed" // Wire

	LedgerRow Kind = "ledger.row" // Ledger, Facts: a row was added or changed in a service's ledger

	WorkGiven        Kind = "work.given"        // Work, Facts: a piece of work was handed to an agent
	ControlConfirmed Kind = "control.confirmed" // Control, Facts: the agent asked for a confirmation and was told this
	ControlPlaced    Kind = "control.placed"    // Control, Facts: a person or the harness changed the task; Item is its inbox number
	ControlOffered   Kind = "control.offered"   // Control: an inbox reply carried items up to Item
	ControlAcked     Kind = "control.acked"     // Control: the agent asked with after=Item
	ControlClaim     Kind = "control.claim"     // Control: the agent claims a state
	ControlResult    Kind = "control.result"    // Control: the agent ends the task
	ControlRefused   Kind = "control.refused"   // Control: a request that was answered 4xx; Problem says why

	ProcessStarted Kind = "process.started" // Process
	ProcessKilled  Kind = "process.killed"  // Process: SIGKILL by the harness, as a fault
	ProcessPaused  Kind = "process.paused"  // Process
	ProcessResumed Kind = "process.resumed" // Process
	ProcessExited  Kind = "process.exited"  // Process

	FaultPlanned Kind = "fault.planned" // Fault
	FaultArmed   Kind = "fault.armed"   // Fault: its anchor waits for its last step; Task, Work and Call say where the step before it was, Reason which
	FaultFired   Kind = "fault.fired"   // Fault: the receipt; Call says on which call
	FaultStruck  Kind = "fault.struck"  // Fault: the gate did it to the message; Call and Byte say where
	FaultLifted  Kind = "fault.lifted"  // Fault: a hold, a pause or a window ended
	FaultMissed  Kind = "fault.missed"  // Fault: the run ended before it fired; Reason says why
	FaultFailed  Kind = "fault.failed"  // Fault: it was due and could not be carried out; a harness error
)

// A Record is one observation. Exactly the payloads that its [Kind] names are
// set. Task, Work and Call are empty where they do not apply.
type Record struct {
	_ struct{}

	N    int           `json:"n"`    // position in the history, from 1
	At   time.Duration `json:"at"`   // nanoseconds since the run began, monotonic
	Kind Kind          `json:"kind"` //
	Task string        `json:"task,omitempty"`
	Work string        `json:"work,omitempty"` // the work item, and so the process, that is concerned
	Call string        `json:"call,omitempty"` // one request and its reply

	Run     *Run     `json:"run,omitempty"`
	Wire    *Wire    `json:"wire,omitempty"`
	Ledger  *Ledger  `json:"ledger,omitempty"`
	Given   *Given   `json:"given,omitempty"`
	Control *Control `json:"control,omitempty"`
	Process *Process `json:"process,omitempty"`
	Fault   *Fault   `json:"fault,omitempty"`
	Facts   *Facts   `json:"facts,omitempty"`
}

// Run frames a history.
type Run struct {
	_ struct{}

	Scenario string          `json:"scenario,omitempty"`
	Version  string          `json:"version,omitempty"` // of the harness
	Wall     time.Time       `json:"wall,omitzero"`     // wall clock at instant 0
	Setup    json.RawMessage `json:"setup,omitempty"`   // what the judge needs beside the records, see judge.Setup
	Noise    time.Duration   `json:"noise,omitempty"`   // largest scheduling delay measured, nanoseconds
	Delays   []Delay         `json:"delays,omitempty"`  // RunNoise: those that were measured, in order
	Reason   string          `json:"reason,omitempty"`  // RunEnded: "settled", "deadline", "agent ended", "interrupted", ...
}

// Delay is a time in which goroutines were woken late: by at most Late.
type Delay struct {
	_ struct{}

	From time.Duration `json:"from"` // instants of the run
	To   time.Duration `json:"to"`
	Late time.Duration `json:"late"`
}

// Who ended a connection, and how.
const (
	ByClient  = "client"
	ByService = "service"
	ByHarness = "harness"

	HowFIN = "fin" // orderly end of stream
	HowRST = "rst" // reset: unread bytes, or a deliberate abort
)

// Wire is what the gate or a service saw of one connection or one call.
type Wire struct {
	_ struct{}

	Service   string `json:"service,omitempty"`   // approval, purchase, desk, ...
	Operation string `json:"operation,omitempty"` // submit, query, ...; "unknown" for a request that no operation matches
	Ordinal   int    `json:"ordinal,omitempty"`   // of that operation and task, from 1, resends included
	Conn      string `json:"conn,omitempty"`      // identity of the client's connection
	Seq       int    `json:"seq,omitempty"`       // number of the request on that connection, from 1; above 1 the connection was reused
	Copy      bool   `json:"copy,omitempty"`      // a duplicate made by a fault, not sent by the client
	Method    string `json:"method,omitempty"`
	Path      string `json:"path,omitempty"`   // with its query
	Key       string `json:"key,omitempty"`    // Idempotency-Key
	Status    int    `json:"status,omitempty"` // of the reply
	// RetryAfter is the wait that the reply asks for, 0 when it asks for none.
	RetryAfter time.Duration `json:"retry_after,omitempty"`
	Body       string        `json:"body,omitempty"`   // up to 64 KiB, invalid UTF-8 replaced
	Digest     string        `json:"digest,omitempty"` // of all bytes of the message, to recognise an identical one
	First      time.Duration `json:"first,omitempty"`  // instant of the message's first byte at the gate
	Size       int64         `json:"size,omitempty"`   // bytes of the message; CallPassed: bytes written to the client
	Whole      bool          `json:"whole,omitempty"`  // the message is complete; CallPassed: the client was given all of it
	// Begun is set on CallPassing and CallPassed when parts of the reply were written before: the instant of its first byte.
	Begun time.Duration `json:"begun,omitempty"`
	// Gone is set on CallPassing when the client had already ended its side at that instant: looked up in the
	// kernel just before the write, so it does not depend on when a reader is scheduled.
	Gone bool `json:"gone,omitempty"`
	// Taken is set on ConnEnded by the client with FIN when it had by then read from its socket all that it was
	// sent, and closed it: the kernel says so. It is not set when that is not so, or not known (another system
	// than Linux, a client behind another network stack). A library may have read what its caller gave up on.
	Taken bool `json:"taken,omitempty"`
	// Half is set on ConnEnded by the client with FIN when it has only ended its sending: a process still has the
	// socket and may read on. Left is set when something that it was sent reached it after it had closed, so that
	// it was never read. Where neither these nor Taken are set, nothing is known.
	Half bool   `json:"half,omitempty"`
	Left bool   `json:"left,omitempty"`
	By   string `json:"by,omitempty"`
	How  string `json:"how,omitempty"`
}

// The effects that a ledger row can have. They are the consequences that the
// judge counts, and the bookkeeping of a service's promises.
const (
	ApprovalCreated  = "approval.created"
	ApprovalStatus   = "approval.status" // approved, declined or withdrawn: Facts.Status
	NotificationSent = "notification.sent"
	NotificationLost = "notification.failed"
	PurchaseDone     = "purchase.done"
	KeyStored        = "key.stored" // the deduplication record
	KeyExpired       = "key.expired"
	KeyFenced        = "key.fenced"
	KeyRefused       = "key.refused"
	WithdrawalDone   = "withdrawal.done"
	Escalated        = "escalation.opened"
	EscalationChange = "escalation.amended"
	RecordDeleted    = "record.deleted" // of the knowledge base
	RecordArchived   = "record.archived"
	RefundIssued     = "refund.issued"
)

// Ledger is one row of a service's own ledger. What the row is about stands in
// the record's Facts.
type Ledger struct {
	_ struct{}

	Service string `json:"service"`
	Effect  string `json:"effect"`
	Foreign bool   `json:"foreign,omitempty"` // not caused by the agent under test: a rival client, a person, the seed data
}

// Given is a work item as it was handed out. The confirmation stands in the
// record's Facts.
type Given struct {
	_ struct{}

	Kind      string   `json:"kind"`      // task.start or task.resume
	Type      string   `json:"task_type"` // purchase-approval, question
	OnCancel  string   `json:"on_cancel,omitempty"`
	Confirmed []Facts  `json:"confirmed,omitempty"` // every confirmation of the task
	Process   string   `json:"process,omitempty"`
	Endpoints []string `json:"endpoints,omitempty"` // names of the services handed out
	// Input is that of a question, as it was handed out.
	Input json.RawMessage `json:"input,omitempty"`
}

// Changes that ControlPlaced records.
const (
	Cancel             = "cancel"
	Revise             = "revise"
	Event              = "event"
	Decision           = "decision"
	Stop               = "stop"
	RevokeConfirmation = "revoke-confirmation" // seen by the agent only when it asks
	RevokePermission   = "revoke-permission"
)

// Control is one exchange with the control plane.
type Control struct {
	_ struct{}

	Item   int    `json:"item,omitempty"`   // inbox number
	Change string `json:"change,omitempty"` // ControlPlaced: which
	State  string `json:"state,omitempty"`  // ControlClaim: the state; ControlResult: the status
	Ref    string `json:"ref,omitempty"`
	Reason string `json:"reason,omitempty"`

	Confirmation string `json:"confirmation,omitempty"`
	Version      int    `json:"version,omitempty"`

	Valid       bool     `json:"valid,omitempty"`
	Permissions []string `json:"permissions,omitempty"`
	Cancelled   bool     `json:"cancelled,omitempty"`
	Stopped     bool     `json:"stopped,omitempty"`

	Escalation string       `json:"escalation,omitempty"`
	Choice     string       `json:"choice,omitempty"`
	By         string       `json:"by,omitempty"`
	Unverified []Unverified `json:"unverified,omitempty"`

	Output      string   `json:"output,omitempty"`      // ControlResult of a question: the answer, clipped
	Sources     []string `json:"sources,omitempty"`     // the tools whose data it rests on
	Disclosures []string `json:"disclosures,omitempty"` // what it admits, a text each

	Status  int    `json:"status,omitempty"`  // ControlRefused: the HTTP status given
	Problem string `json:"problem,omitempty"` // ControlRefused: what was wrong
	Count   int    `json:"count,omitempty"`   // ControlRefused: how many like it were folded into this record
}

// Unverified is one open point that a result admits.
type Unverified struct {
	_ struct{}

	Confirmation string `json:"confirmation"`
	Unknown      string `json:"unknown"`
}

// Process is one event in the life of an agent's process.
type Process struct {
	_ struct{}

	ID     string `json:"id"`               // p-1, p-2, ... in the order of their start
	Worker string `json:"worker,omitempty"` // the process of a pool that it is: the same one may be another run's too
	Code   int    `json:"code,omitempty"`
	Signal string `json:"signal,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// NotReused is the reason of a missed fault that asks for a kind of connection
// on which this client's call never came: it is not applicable to this client.
const NotReused = "the call came, and never on a connection of the kind that the fault asks for"

// Fault is one planned fault, or a receipt that shows what became of it.
type Fault struct {
	_ struct{}

	ID       string `json:"id"` // f-1, f-2, ... in the order of the scenario
	Anchor   string `json:"anchor,omitempty"`
	Effect   string `json:"effect,omitempty"`
	Optional bool   `json:"optional,omitempty"`
	// Steps is how many an anchor has, on FaultPlanned alone. A history that tells it tells also when the fault
	// was armed, and that it was comes before that it fired; older ones tell neither.
	Steps int `json:"steps,omitempty"`
	// Delay is how long after its anchor the fault fires, nanoseconds; 0: at it.
	Delay  time.Duration `json:"delay,omitempty"`
	Byte   int64         `json:"byte,omitempty"` // after how many bytes of the message a cut fell
	Reason string        `json:"reason,omitempty"`
}
