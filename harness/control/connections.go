package control

import (
	"net"
	"net/http"
	"sync"
)

// What the connections of one run may cost. Idle ones are kept long, since
// ending one can look like a fault to the agent; but an agent that leaves
// connections behind must not run the plane dry.
const (
	maxConnections = 1024 // at once; more wait to be accepted
	maxIdle        = 64   // beyond, the one that has been idle longest is ended
)

// connections counts the server's connections and bounds the idle ones.
type connections struct {
	open sync.WaitGroup

	mu   sync.Mutex
	idle []net.Conn // longest first
}

// note is the server's ConnState hook.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		c.open.Add(1)
	case http.StateIdle:
		if longest := c.rest(conn); longest != nil {
			_ = longest.Close() // its own goroutine notices
		}
	case http.StateActive:
		c.forget(conn)
	case http.StateClosed, http.StateHijacked:
		c.forget(conn)
		c.open.Done()
	}
}

func (c *connections) rest(conn net.Conn) (longest net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = append(c.idle, conn)
	if len(c.idle) > maxIdle {
		longest, c.idle = c.idle[0], c.idle[1:]
	}
	return longest
}

func (c *connections) forget(conn net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, other := range c.idle {
		if other == conn {
			c.idle = append(c.idle[:i], c.idle[i+1:]...)
			return
		}
	}
}
