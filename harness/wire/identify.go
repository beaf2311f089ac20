package wire

import (
	"context"
	"errors"
	"net"
	"sync"

	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// origin is where a connection to a service comes from, as that service sees it.
type origin struct{ service, peer string }

// arrivals are the requests on one connection to a service, as the service sees
// them: by their number.
type arrivals struct {
	mu         sync.Mutex
	task, work string // of all of them
	all        []arrival
	told       int // so many of them, at least, the service has asked about
}

// arrival is what differs between the requests on one connection. It is kept
// for as long as the gateway is.
type arrival struct {
	call         string
	ordinal      int
	reused, copy bool
}

// usualArrivals is for how many requests on a connection there is room at first.
const usualArrivals = 8

// Identify says which call a request is that a service has received. peer is
// the request's RemoteAddr at the service, seq the number of the request on
// that connection, from 1. It is false for a request that did not come through
// the gateway.
func (g *Gateway) Identify(service, peer string, seq int) (fault.Ref, bool) {
	g.mu.Lock()
	a := g.arrivals[origin{service, peer}]
	g.mu.Unlock()
	if a == nil {
		return fault.Ref{}, false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if seq < 1 || seq > len(a.all) {
		return fault.Ref{}, false
	}
	a.told = max(a.told, seq)
	is := a.all[seq-1]
	return fault.Ref{Call: is.call, Task: a.task, Work: a.work, Ordinal: is.ordinal, Reused: is.reused, Copy: is.copy}, true
}

const (
	otherAddress = 8  // so often another address is tried where one was used before
	anyAddress   = 32 // and so often one about which the service may still ask
)

var errAddresses = errors.New("the service may still ask about earlier connections from every address that was tried")

// reach connects to the service, and makes the connection known before its
// first byte. The system gives an address away again when a connection has
// ended, and a service that is late may ask about a request on that one; so the
// connection comes from an address from which the gateway has reached the
// service never before, or, when there is none at hand, has been asked about all.
func (p *Proxy) reach(ctx context.Context) (*net.TCPConn, *arrivals, error) {
	for try := range anyAddress {
		c, err := p.g.dial(ctx, p.door.Upstream)
		if err != nil {
			return nil, nil, err
		}
		up := c.(*net.TCPConn)
		if a := p.g.introduce(origin{p.door.Service, up.LocalAddr().String()}, try >= otherAddress); a != nil {
			return up, a, nil
		}
		_ = up.SetLinger(0)
		_ = up.Close()
	}
	return nil, nil, errAddresses
}

// introduce makes a connection to a service known. It is nil when one from
// there was known already; again: only if the service may still ask about it.
func (g *Gateway) introduce(from origin, again bool) *arrivals {
	a := new(arrivals)
	g.mu.Lock()
	defer g.mu.Unlock()
	if before := g.arrivals[from]; before != nil && (!again || !before.settled()) {
		return nil
	}
	g.arrivals[from] = a
	return a
}

// settled tells whether the service has asked about every request.
func (a *arrivals) settled() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.told == len(a.all)
}

// add makes the next request known before its first byte can reach the service.
func (a *arrivals) add(ref fault.Ref) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.all == nil {
		a.all = make([]arrival, 0, usualArrivals)
	}
	a.task, a.work = ref.Task, ref.Work
	a.all = append(a.all, arrival{call: ref.Call, ordinal: ref.Ordinal, reused: ref.Reused, copy: ref.Copy})
}
