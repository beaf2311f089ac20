package wire

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"net"
	"net/http"
	"sync"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// Unknown is the operation of a request that no operation matches.
const Unknown = "unknown"

// ErrClosed is returned by the methods of a gateway that has been closed.
var ErrClosed = errors.New("wire: the gateway is closed")

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

// A BodyDialect is a [Dialect] for services that take several operations at one
// place and name them in the body, as JSON-RPC does. Such a request is named,
// and gets its ordinal, when it is complete or longer than 64 KiB; one that
// expects `100-continue` when its head is complete.
type BodyDialect interface {
	Dialect
	// InBody tells whether the operation of r stands in its body. If not, Operation names it.
	InBody(service string, r *http.Request) bool
	// BodyOperation names what r asks service for; "" counts as [Unknown]. body is at most its first 64 KiB.
	BodyOperation(service string, r *http.Request, body []byte) string
}

// Config is what a gateway works with.
type Config struct {
	Log     *history.Log // receives every record; required
	Seam    fault.Seam   // nil: no faults
	Dialect Dialect      // nil: every operation is Unknown
	// Patience is how long a client may wait for a reply. One that still has its connection so long after the reply was
	// passed, and left nothing of it unread, has taken it, though it shows nothing. 0: only what a client shows counts.
	Patience time.Duration
	// Avoid tells that no proxy must be at this port: a process that lives knows it as another one's. Nil: none is avoided.
	Avoid func(port int) bool
}

// A Gateway is the wire of one run: all its proxies, their connections and
// calls. It is safe for concurrent use.
type Gateway struct {
	log      *history.Log
	seam     fault.Seam
	scout    fault.Scout // the seam, if it is one
	dialect  Dialect
	avoid    func(port int) bool
	patience time.Duration
	inBody   BodyDialect // the dialect, if it is one
	seed     maphash.Seed
	api      *toxiproxy.ApiServer
	ctx      context.Context // ends with Close: nothing is held on
	stop     context.CancelFunc
	dial     func(ctx context.Context, upstream string) (net.Conn, error)

	mu       sync.Mutex
	closed   bool
	proxies  map[*Proxy]struct{}
	refused  map[route]int
	ordinals map[matter]int
	arrivals map[origin]*arrivals
	conns    int
	calls    int
	busy     int
	idle     chan struct{} // closed when busy comes to 0; nil: nobody waits for that
}

// route is what a refusal concerns.
type route struct{ task, service string }

// matter is what ordinals are counted for.
type matter struct{ task, service, operation string }

// New returns a gateway without proxies. It must be closed.
func New(cfg Config) *Gateway {
	g := &Gateway{
		log:      cfg.Log,
		seam:     cfg.Seam,
		dialect:  cfg.Dialect,
		avoid:    cfg.Avoid,
		patience: cfg.Patience,
		seed:     maphash.MakeSeed(),
		api:      toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop()),
		proxies:  map[*Proxy]struct{}{},
		refused:  map[route]int{},
		ordinals: map[matter]int{},
		arrivals: map[origin]*arrivals{},
		dial: func(ctx context.Context, upstream string) (net.Conn, error) {
			return (&net.Dialer{Timeout: dialTimeout}).DialContext(ctx, "tcp", upstream)
		},
	}
	if g.seam == nil {
		g.seam = fault.Calm{}
	}
	if g.dialect == nil {
		g.dialect = mute{}
	}
	if g.avoid == nil {
		g.avoid = func(int) bool { return false }
	}
	g.scout, _ = g.seam.(fault.Scout)
	g.inBody, _ = g.dialect.(BodyDialect)
	g.ctx, g.stop = context.WithCancel(context.Background())
	return g
}

// mute is the dialect of a gateway that was given none.
type mute struct{}

func (mute) Operation(string, *http.Request) string                        { return Unknown }
func (mute) Request(string, string, *http.Request, []byte) *history.Facts  { return nil }
func (mute) Reply(string, string, int, http.Header, []byte) *history.Facts { return nil }

// Open starts a proxy and returns once it listens, or, while the service is
// refused to the task, once its port is reserved. ctx bounds only the opening.
func (g *Gateway) Open(ctx context.Context, d Door) (*Proxy, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := newProxy(g, d)
	if err != nil {
		return nil, fmt.Errorf("wire: door of %s to %s: %w", d.Work, d.Service, err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.closed:
		err = ErrClosed
	case g.refused[p.route()] > 0:
	default:
		err = p.listen()
	}
	if err != nil {
		p.reserved.release()
		return nil, fmt.Errorf("wire: door of %s to %s: %w", d.Work, d.Service, err)
	}
	g.proxies[p] = struct{}{}
	return p, nil
}

// Refuse closes the listeners of all doors of task to service, also of those
// opened later: dials are refused, live connections go on. Each Refuse needs
// one Readmit.
func (g *Gateway) Refuse(task, service string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return ErrClosed
	}
	r := route{task, service}
	g.refused[r]++
	for p := range g.proxies {
		if p.route() == r {
			p.refuse()
		}
	}
	return nil
}

// Readmit ends one Refuse: on the last one the doors listen again, each on the
// port that it had.
func (g *Gateway) Readmit(task, service string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return ErrClosed
	}
	r := route{task, service}
	if g.refused[r] == 0 {
		return fmt.Errorf("wire: %s is not refused to %s: call Refuse first", service, task)
	}
	if g.refused[r]--; g.refused[r] > 0 {
		return nil
	}
	delete(g.refused, r)
	var errs []error
	for p := range g.proxies {
		if p.route() == r {
			errs = append(errs, p.listen())
		}
	}
	return errors.Join(errs...)
}

// Busy counts the calls in flight: from the completion of a request's head
// until its reply was passed or dropped, or can no longer come. Held messages
// and duplicates are in flight.
func (g *Gateway) Busy() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.busy
}

// Idle returns a channel that is closed when no call is in flight. It is closed
// already if none is now.
func (g *Gateway) Idle() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.busy == 0 {
		return noWait
	}
	if g.idle == nil {
		g.idle = make(chan struct{})
	}
	return g.idle
}

// noWait is a closed channel.
var noWait = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// begin counts a call in flight, end takes it back. Both are called with g.mu held.
func (g *Gateway) begin() { g.busy++ }

func (g *Gateway) end() {
	if g.busy--; g.busy == 0 && g.idle != nil {
		close(g.idle)
		g.idle = nil
	}
}

// Close ends every proxy and connection, drops what is held, and waits for
// every goroutine, at most until ctx ends. It records the connections that it
// ends, so it comes before the last record of a run. Closing twice is one.
func (g *Gateway) Close(ctx context.Context) error {
	g.mu.Lock()
	g.closed = true
	open := make([]*Proxy, 0, len(g.proxies))
	for p := range g.proxies {
		open = append(open, p)
	}
	g.mu.Unlock()
	g.stop()
	for _, p := range open {
		p.shut()
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, p := range open {
			p.wait()
		}
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wire: close: connections are still ending: %w", ctx.Err())
	}
}
