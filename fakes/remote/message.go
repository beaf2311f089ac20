package remote

import (
	"encoding/json"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Setup opens a seat.
type Setup struct {
	// Start is the instant 0 of the run.
	Start time.Time `json:"start"`
	// Settings are the service's own, see [Kind].
	Settings json.RawMessage `json:"settings"`
}

// Opened is a seat that takes calls.
type Opened struct {
	Epoch  string          `json:"epoch"`
	Port   int             `json:"port"`
	Ledger json.RawMessage `json:"ledger"` // as it was found
}

// Exchange is one question of the harness.
type Exchange struct {
	// Epoch is that of the process that the rest is about. Another process forgets it, and says so by its own.
	Epoch string `json:"epoch"`
	// After is the number of the last message that has arrived; Rows, how many rows of the ledger have.
	After int `json:"after"`
	Rows  int `json:"rows"`
	// Answers are those to messages that ask. They may be repeated.
	Answers []Answer `json:"answers,omitempty"`
	// Releases are waits that are over.
	Releases []Release `json:"releases,omitempty"`
	// WaitMS is how long to wait for a message.
	WaitMS int `json:"wait_ms"`
}

// News is the answer to an exchange.
type News struct {
	Epoch    string    `json:"epoch"`
	Messages []Message `json:"messages"`
}

// Message is one thing that a seat says. Exactly one of the fields behind N is
// set, and Row beside Record for a row of the ledger: its number, from 1, which
// goes on from process to process.
type Message struct {
	N int `json:"n"`

	Record    *history.Record `json:"record,omitempty"`
	Row       int             `json:"row,omitempty"`
	Peer      *Peer           `json:"peer,omitempty"`  // asks which call this is
	Point     *fault.Point    `json:"point,omitempty"` // asks what a fault wants
	Event     *Event          `json:"event,omitempty"`
	Escalated *Escalated      `json:"escalated,omitempty"`
	Quiet     *bool           `json:"quiet,omitempty"`
	Failed    string          `json:"failed,omitempty"` // the seat cannot go on
	Ledger    json.RawMessage `json:"ledger,omitempty"` // the last message: the seat is closed
}

// Peer is a request as the service sees it.
type Peer struct {
	Addr string `json:"addr"`
	Seq  int    `json:"seq"`
}

// Event is told to those who listen to the service.
type Event struct {
	Task string          `json:"task"`
	Body json.RawMessage `json:"body"`
}

// Escalated tells of a new escalation.
type Escalated struct {
	Task string `json:"task"`
	ID   string `json:"id"`
}

// Answer is one to a message that asks.
type Answer struct {
	N     int        `json:"n"`
	Ref   *fault.Ref `json:"ref,omitempty"`   // of a peer; nil: it did not come through the gate
	Order *Order     `json:"order,omitempty"` // of a point
}

// Order is the service's part of a fault's order. What it waits for ends with a
// [Release].
type Order struct {
	Wait    bool          `json:"wait,omitempty"`
	Later   bool          `json:"later,omitempty"`
	Conduct fault.Conduct `json:"conduct"` // its Later is left out
}

// Release ends a wait of the order that was given to a message.
type Release struct {
	N     int  `json:"n"`
	Later bool `json:"later,omitempty"` // that of Later; else that of Wait
}

// State is what a process holds.
type State struct {
	Service string   `json:"service"`
	Epoch   string   `json:"epoch"`
	Seats   []string `json:"seats"`   // never null
	Ledgers []string `json:"ledgers"` // seats of which something is kept; never null
}
