package service

import (
	"net/http"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Config is what a run gives every service. The zero value is a service without
// faults that anybody may call and whose records are kept in memory only.
type Config struct {
	// Log takes the records. Nil: a log of the service's own.
	Log *history.Log
	// Seam decides about faults. Nil: [fault.Calm].
	Seam fault.Seam
	// Identify tells which call a request is: peer is the address that it comes from (host:port, the
	// gate's own end), seq its number on that connection, from 1. False: it does not come from the gate,
	// is answered 403, and is recorded nowhere. Nil: every request is taken, as a call without a name.
	Identify func(peer string, seq int) (fault.Ref, bool)
	// Host is the address to listen on. "": 127.0.0.1.
	Host string
	// Port is the port to listen on. 0: the system's choice.
	Port int
	// Settle is called before the first byte of a reply, and before a connection is reset in place of one: when it
	// returns, what was recorded stands where it will be read. Nil: it stands there at once.
	Settle func()
	// Idle is told each time that [Service.Quiet] becomes something else, one call at a time. It must not block or
	// call the service. Nil: nobody is told.
	Idle func(quiet bool)
	// Store keeps the service's ledger beyond its process. Nil: the ledger ends with it.
	Store Store
	// Clock is the service's time. Nil: the log's.
	Clock Clock
}

// Spec is what one service is.
type Spec struct {
	Name string
	// Promises decide which refusals say that they had no effect.
	Promises contract.Guarantees
	// Reads and Writes are the operations, by name.
	Reads  map[string]Read
	Writes map[string]Write
	// Rival does what a fault asks for at received: before this request another client uses its
	// identifier with other content. Nil: nothing happens.
	Rival func(c *Call)
	// Decide makes the approver decide, now, about what the task of the call has pending. Nil: nobody decides.
	Decide func(c *Call, outcome string)
	// Lacking makes one part of the consequence of a call fail, now or when its time comes. Nil: it has no parts.
	Lacking func(c *Call, part string)
	// Distort makes another reply of an honest one that is no refusal: [fault.Stale], [fault.WrongInstance] or
	// [fault.Doubled]. Nil: the reply stays honest.
	Distort func(c *Call, how fault.Distortion, honest Reply) Reply
	// Speak answers with what a model is made to say, or with what it would say anyway and why it could not.
	// Nil: it says what it would.
	Speak func(c *Call, s fault.Speech) (reply Reply, unable string)
	// Carry writes a reply that the service gave by itself in a protocol of its own, and tells whether it did.
	// Nil: replies are JSON over HTTP. What a fault puts in the service's mouth is always that.
	Carry func(w http.ResponseWriter, r *http.Request, c *Call, reply Reply) bool
	// Refusal is the body of an error that a fault puts in the service's mouth. Nil: a [Problem].
	Refusal func(p Problem, status int) any
	// Forget drops the deduplication records. Nil: there are none.
	Forget func(c *Call)
}
