package approval

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
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

// record is an approval in the ledger: what was asked for, and every state that
// it has had, so that a replica can show an old one.
type record struct {
	facts         history.Facts // as submitted, and the ref
	content       json.RawMessage
	states        []state
	foreign       bool
	cause         fault.Ref // the call that made it
	notifications int
	unheard       bool // the notification of its decision fails
}

type state struct {
	at           time.Duration
	status       string
	notification string
}

func (r *record) now() state { return r.states[len(r.states)-1] }

// change adds a state. Its number within the record is its place.
func (r *record) change(at time.Duration, status, notification string) {
	r.states = append(r.states, state{at: at, status: status, notification: notification})
}

// seq is the number of the state that held at an instant, 0 before the creation.
func (r *record) seq(at time.Duration) int {
	seq := len(r.states)
	for seq > 0 && r.states[seq-1].at > at {
		seq--
	}
	return seq
}

// row is what a row of the ledger says about the record now.
func (r *record) row() history.Facts {
	f := r.facts
	f.Status, f.Notification, f.Seq = r.now().status, r.now().notification, len(r.states)
	return f
}

// show is the record as the primary has it.
func (s *Service) show(r *record) Record { return s.version(r, len(r.states)) }

// version is the record in one of its states.
func (s *Service) version(r *record, seq int) Record {
	st := r.states[seq-1]
	return Record{
		Ref: r.facts.Ref, Key: r.facts.Key, Tenant: r.facts.Tenant, Object: r.facts.Object,
		Confirmation: Confirmation{ID: r.facts.Confirmation, Version: r.facts.Version},
		Content:      r.content, Digest: r.facts.Digest,
		Status: st.status, Consequences: Consequences{Notification: st.notification},
		Seq: seq, At: s.frame.Wall(st.at),
	}
}

// add makes a record with the next reference. Refs are a-1, a-2, ... in the
// order of creation.
func (s *Service) add(r *record, status, notification string, at time.Duration) *record {
	s.records = append(s.records, r)
	r.facts.Ref = fmt.Sprintf("a-%d", len(s.records))
	r.change(at, status, notification)
	s.frame.Row(r.cause, history.ApprovalCreated, r.foreign, r.row())
	return r
}

// byRef finds a record, nil if there is none.
func (s *Service) byRef(ref string) *record {
	for _, r := range s.records {
		if r.facts.Ref == ref {
			return r
		}
	}
	return nil
}

// byKey are the records that carry an identifier and existed at an instant,
// whether or not the identifier is still recognised.
func (s *Service) byKey(key string, at time.Duration) []*record {
	var found []*record
	for _, r := range s.records {
		if key != "" && r.facts.Key == key && r.seq(at) > 0 {
			found = append(found, r)
		}
	}
	return found
}
