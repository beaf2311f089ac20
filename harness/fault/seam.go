package fault

import (
	"context"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Phase is a place in a call where something can be lost.
type Phase string

// The phases of a call, in the order in which it passes them.
const (
	Sent      Phase = "sent"      // the request is complete at the gate (its body up to 64 KiB), nothing has been passed on
	Received  Phase = "received"  // the service has the request and has done nothing
	Validated Phase = "validated" // writes: checked and taken on, no consequence yet
	Committed Phase = "committed" // writes: the consequence stands in the ledger, no reply yet
	Replied   Phase = "replied"   // the service wrote its reply, the client has none of it
	Delivered Phase = "delivered" // the client took the whole reply
)

// Phases are all phases in order.
func Phases() []Phase {
	return []Phase{Sent, Received, Validated, Committed, Replied, Delivered}
}

// Ref identifies one call.
type Ref struct {
	Call    string // history.Record.Call
	Task    string
	Work    string
	Ordinal int  // of the operation within the task, from 1
	Reused  bool // the connection carried an earlier request
	Copy    bool // a duplicate made by a fault
}

// Point is one moment at which a fault may act: a phase of a call, or an event
// that is no call.
type Point struct {
	Ref
	Service   string
	Operation string
	Phase     Phase

	// Event is set, and the fields of a call are not, at a moment that is no call: one of the
	// constants below. Detail is the claimed state or the event's type; Ordinal counts them.
	Event  string
	Detail string
}

// The events that are no call.
const (
	AgentStarted          = "agent started"   // a piece of work was given to an agent
	AgentClaims           = "agent claims"    // Detail: the state
	AgentEscalates        = "agent escalates" // the desk took an escalation
	TaskCancelled         = "task cancelled"
	EventEmitted          = "event emitted"   // Detail: the event's type; a service put it out
	EventDelivered        = "event delivered" // Detail: the event's type; the agent acknowledged it
	ConfirmationDelivered = "control.confirmation delivered"
)

// Action is what the gate does with the message at the point.
type Action string

// The actions of a gate. At [Sent] they concern the request, at [Replied] the reply.
const (
	Pass      Action = ""          // let it through unaltered
	Reset     Action = "reset"     // end the client's connection with RST; the message is dropped
	Close     Action = "close"     // end it with FIN; the message is dropped
	Hang      Action = "hang"      // drop the message and keep the connection open
	Truncate  Action = "truncate"  // let Order.Bytes bytes of the body through, then FIN
	Garble    Action = "garble"    // replace the body's bytes, keep its length
	Duplicate Action = "duplicate" // at Sent: the service gets the request twice; the copy's reply is dropped
	Drip      Action = "drip"      // byte by byte, Order.Every apart
)

// Order is what the caller of [Seam.At] must do. The zero value means: go on.
// A gate carries out its own part and a service its own.
type Order struct {
	// Wait keeps the message or the request at this point until it is closed. Nil: no wait. The gate
	// goes on reading its sockets meanwhile; a service waits on its request's goroutine. After it the
	// rest of the order is carried out.
	Wait <-chan struct{}

	// The gate's part.
	Action  Action
	Cut     Cut           // Truncate: what Bytes counts
	Bytes   int           // Truncate: how much is let through; of the body, -1: not even the head
	Every   time.Duration // Drip
	Weather []Weather     // put on the connection before the message goes on, until it ends

	// Receipt is the fault whose Action this is. The gate records it with the byte at which it was
	// carried out, or with the reason why it could not be. Nil: no record.
	Receipt *history.Fault

	// The service's part.
	Conduct
}

// Cut says where in a message [Truncate] cuts.
type Cut string

// The places of a cut.
const (
	InBody  Cut = ""      // Order.Bytes bytes of the body are let through, transfer coding not counted
	InHead  Cut = "head"  // that many bytes of the message, fewer than its head has
	InChunk Cut = "chunk" // up to the middle of that chunk of a chunked body, its size line included
)

// Weather is a stock toxic of Toxiproxy on one connection.
type Weather struct {
	_ struct{}

	Type       string           // latency, bandwidth, slicer, ...
	Upstream   bool             // on what the client sends; else on what it is sent
	Attributes map[string]int64 // as Toxiproxy takes them
	Receipt    *history.Fault   // whose it is; nil: no record
}

// Conduct is the service's part of an order: how it behaves about one request,
// or about one event that it puts out. The zero value is honest.
type Conduct struct {
	// Later keeps the consequence until it is closed, while the request is answered as processing: at
	// Validated of what creates something. Of an event that is Overtaken it is the latest moment. Nil: at once.
	Later <-chan struct{} `json:"-"`

	Answer     *Answer    // reply with this: at Received and Validated instead of going on, at Committed instead of its own reply
	Distortion Distortion // reply with something else than the truth: a read at Received, a write at Committed (or, queued, at Validated)
	Rival      bool       // Received: before this request, another client uses its identifier with other content
	Forget     bool       // Received: the deduplication records are gone
	Crash      bool       // Validated: drop the request without effect; Committed: the reply is never written. The connection is reset
	Lacking    string     // Committed: this part of the consequence fails, one of [Parts]
	Outcome    string     // the approver decides so, now, about what the task has pending; one of [Outcomes]
	Fate       Fate       // of an event
	Speech     *Speech    // Received by a model: answer with this instead of the turn of its script
}

// Distortion is a reply that is not what the service knows.
type Distortion string

// The distortions of a reply.
const (
	Empty         Distortion = "empty"          // as if there were nothing
	Stale         Distortion = "stale"          // as it was before its last change
	Queued        Distortion = "queue"          // a gateway's queue number
	WrongInstance Distortion = "wrong-instance" // another record, under the identifier that was asked for
	Doubled       Distortion = "duplicate"      // every record of a list twice
)

// Fate is what becomes of an event that a service puts out.
type Fate string

// The fates of an event.
const (
	Twice     Fate = "twice"
	Lost      Fate = "lost"
	Overtaken Fate = "out-of-order" // by the next event of its task
)

// Answer is a reply that a fault puts in a service's mouth.
type Answer struct {
	Status     int
	RetryAfter time.Duration // 0: no header
	Body       string        // "" : an error body that fits the status
}

// A Seam decides at each point. At must not block: a wait comes back in the
// order. It is called by many goroutines at once.
type Seam interface {
	At(ctx context.Context, p Point) Order
}

// A Scout is a seam that knows beforehand where nothing can come of a point.
// Messages of which that is true are not gathered at their phase, they flow as
// they come; their points are passed all the same, sent and replied perhaps
// before the body has come.
type Scout interface {
	Seam
	// Concerns tells whether p can matter to a fault: set it off, or end or order another. It is quick.
	Concerns(p Point) bool
}

// Calm is a seam without faults.
type Calm struct{}

// Concerns is always false.
func (Calm) Concerns(Point) bool { return false }

// At lets everything pass.
func (Calm) At(context.Context, Point) Order { return Order{} }

// Hands are what a fault can move besides the message at its point. Methods
// return once the effect is in force, or an error when it could not be.
type Hands interface {
	// Kill ends the agent process that does this work with SIGKILL and starts another for the same task after downFor.
	Kill(ctx context.Context, task, work string, downFor time.Duration) error
	// Pause stops that process for a while (SIGSTOP, SIGCONT).
	Pause(ctx context.Context, task, work string, d time.Duration) error
	// Redispatch hands the task to a second process while the first still runs. It is in force when
	// given is closed: it may return before, where waiting would be another fault.
	Redispatch(ctx context.Context, task string) (given <-chan struct{}, err error)
	// Cancel, Stop, Revise, Revoke and Decide change the task in the control plane.
	Cancel(ctx context.Context, task string) error
	Stop(ctx context.Context, task string) error
	Revise(ctx context.Context, task string, content map[string]string) error
	Revoke(ctx context.Context, task, what string) error // confirmation or permission
	Decide(ctx context.Context, task, choice string) error
	// Refuse closes the agent's door to a service until the channel is closed: dials are refused, live connections go on.
	Refuse(ctx context.Context, task, service string, until <-chan struct{}) error
	// Outage does something to a service's process until the channel is closed; of one that was killed, another is
	// started then.
	Outage(ctx context.Context, service string, how Outage, until <-chan struct{}) error
}
