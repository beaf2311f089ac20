package approval

import (
	"encoding/json"
	"time"
)

// Record is one approval as the service shows it in replies, queries and
// events.
type Record struct {
	Ref          string          `json:"ref"`
	Key          string          `json:"key"`
	Tenant       string          `json:"tenant"`
	Object       string          `json:"object"`
	Confirmation Confirmation    `json:"confirmation"`
	Content      json.RawMessage `json:"content"`
	Digest       string          `json:"digest"`
	Status       string          `json:"status"`
	Consequences Consequences    `json:"consequences"`
	Seq          int             `json:"seq"` // of this record: later states have higher numbers
	At           time.Time       `json:"at"`  // of this state
}

// Confirmation names what a person confirmed.
type Confirmation struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
}

// Consequences are what became of the approval's side effects.
type Consequences struct {
	Notification string `json:"notification"` // sent, failed or none
}

// Event tells that a record has reached a new state.
type Event struct {
	Type   string `json:"type"` // approved, declined or withdrawn
	Record Record `json:"record"`
	Seq    int    `json:"seq"` // the record's
}

// Ledger is all that the service holds, for the evidence that is kept of a run.
type Ledger struct {
	Records []LedgerRecord `json:"records"`
	Keys    []LedgerKey    `json:"keys"`
}

// LedgerRecord is a record and where it comes from.
type LedgerRecord struct {
	Record
	Foreign       bool   `json:"foreign,omitempty"` // made by another client
	Task          string `json:"task,omitempty"`
	Call          string `json:"call,omitempty"` // the request that made it
	Supersedes    string `json:"supersedes,omitempty"`
	Notifications int    `json:"notifications"` // how many were sent
}

// LedgerKey is a deduplication record or a fence.
type LedgerKey struct {
	Key        string `json:"key"`
	Action     string `json:"action,omitempty"`
	Tenant     string `json:"tenant,omitempty"`
	Object     string `json:"object,omitempty"`
	State      string `json:"state"` // created, refused, void or expired
	Ref        string `json:"ref,omitempty"`
	ReceivedMS int64  `json:"received_ms"` // since the start of the run
}
