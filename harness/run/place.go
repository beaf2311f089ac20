package run

import (
	"context"
	"net/url"
	"strconv"
	"sync"

	"github.com/lostreceipt/lostreceipt/harness/control"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

// Lasting is an Agent whose processes go on from run to run. Each run takes a
// place first.
type Lasting interface {
	Agent
	// Queue asks for a place for one run and returns at once. Places are given in the order of the questions.
	Queue() Ticket
}

// Ticket waits for the place that it stands for. It is called once; if it
// returns a place, the caller releases it. With a context that has ended it
// gives up what it stands for.
type Ticket func(ctx context.Context) (Place, error)

// queue asks for a place if the agent is lasting; nil: it needs none.
func queue(a Agent) Ticket {
	if lasting, ok := a.(Lasting); ok {
		return lasting.Queue()
	}
	return nil
}

// drop gives up a ticket.
func (t Ticket) drop() {
	ended, end := context.WithCancel(context.Background())
	end()
	if place, err := t(ended); err == nil {
		place.Release()
	}
}

// Place is a lasting agent for one run. Its Open is called at most once. Its
// crew is a [Joined].
type Place interface {
	Agent
	// Mark tells the ids of this run from those that the same processes have seen, see [control.Config].
	Mark() string
	// Given is told of the endpoints that a process has been given. Known tells that a port is that of one that a
	// process may still know: no other run must use it, or a call that comes late would be that run's.
	Given(endpoints map[string]string)
	Known(port int) bool
	// Release gives the place back when the run is over.
	Release()
}

// Joined is a Crew that is joined to the plane of its run before its first
// process is started. With stay a process stays in the run until the plane has
// finished, also when its task has a result before: a fault may concern it.
type Joined interface {
	Crew
	Join(plane *control.Plane, stay bool)
}

// stays tells whether the processes stay in the run to its end.
func stays(c *scenario.Compiled) bool {
	for _, need := range c.Needs {
		if need == "restart" {
			return true
		}
	}
	return false
}

// maxPorts is how many ports are known at most: a part of those that there are
// to find others among.
const maxPorts = 6000

// ports are the ports that processes were given last.
type ports struct {
	mu    sync.Mutex
	known map[int]bool
	order []int // a ring once it is full
	next  int
}

// given adds the ports of endpoints.
func (p *ports) given(endpoints map[string]string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, endpoint := range endpoints {
		u, err := url.Parse(endpoint)
		if err != nil {
			continue
		}
		port, err := strconv.Atoi(u.Port())
		if err != nil || p.known[port] {
			continue
		}
		if p.known == nil {
			p.known = map[int]bool{}
		}
		p.known[port] = true
		if len(p.order) < maxPorts {
			p.order = append(p.order, port)
			continue
		}
		delete(p.known, p.order[p.next])
		p.order[p.next] = port
		p.next = (p.next + 1) % maxPorts
	}
}

func (p *ports) has(port int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.known[port]
}
