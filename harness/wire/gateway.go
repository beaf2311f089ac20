package wire

import (
	"context"
	"net/http"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Unknown is the operation of a request that no operation matches.
const Unknown = "unknown"

// A Dialect reads business facts out of messages. It is called by many
// goroutines at once, on hostile input, and must not keep or change what it is
// given.
type Dialect interface {
	// Operation names what r asks service for; "" counts as [Unknown]. r has no body.
	Operation(service string, r *http.Request) string
	// Request reads a request. body is at most its first 64 KiB. Nil: no facts.
	Request(service, op string, r *http.Request, body []byte) *history.Facts
	// Reply reads a reply. body is at most its first 64 KiB. Nil: no facts.
	Reply(service, op string, status int, h http.Header, body []byte) *history.Facts
}

// Config is what a gateway works with.
type Config struct {
	Log     *history.Log // receives every record; required
	Seam    fault.Seam   // nil: no faults
	Dialect Dialect      // nil: every operation is Unknown
}

// A Gateway is the wire of one run: all its proxies, their connections and
// calls. It is safe for concurrent use.
type Gateway struct{}

// New returns a gateway without proxies. It must be closed.
func New(cfg Config) *Gateway { panic("not yet") }

// Open starts a proxy and returns once it listens, or, while the service is
// refused to the task, once its port is reserved.
func (g *Gateway) Open(ctx context.Context, d Door) (*Proxy, error) { panic("not yet") }

// Identify says which call a request is that a service has received. peer is
// the request's RemoteAddr at the service, seq the number of the request on
// that connection, from 1. It is false for a request that did not come through
// the gateway.
func (g *Gateway) Identify(peer string, seq int) (fault.Ref, bool) { panic("not yet") }

// Refuse closes the listeners of all doors of task to service, also of those
// opened later: dials are refused, live connections go on. Each Refuse needs
// one Readmit.
func (g *Gateway) Refuse(task, service string) error { panic("not yet") }

// Readmit ends one Refuse: on the last one the doors listen again, each on the
// port that it had.
func (g *Gateway) Readmit(task, service string) error { panic("not yet") }

// Busy counts the calls in flight: from the completion of a request's head
// until its reply was passed or dropped, or can no longer come. Held messages
// and duplicates are in flight.
func (g *Gateway) Busy() int { panic("not yet") }

// Idle returns a channel that is closed when no call is in flight. It is closed
// already if none is now.
func (g *Gateway) Idle() <-chan struct{} { panic("not yet") }

// Close ends every proxy and connection, drops what is held, and waits for
// every goroutine. It records the connections that it ends, so it comes before
// the last record of a run.
func (g *Gateway) Close(ctx context.Context) error { panic("not yet") }
