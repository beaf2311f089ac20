package stack

import (
	"context"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// A Ground is where the services of one run stand.
type Ground interface {
	// Host is the address on which doors listen, so that the agent can reach them.
	Host() string
	// Place starts a service. The caller closes it.
	Place(ctx context.Context, s Service) (Backend, error)
	// Close gives the ground back when its services are closed. The error is that it cannot be used again.
	Close(ctx context.Context) error
}

// Machines are a ground whose services are processes that can be acted on.
type Machines interface {
	// Outage returns when the effect is in force, and how to end it. It is ended once.
	Outage(ctx context.Context, service string, how fault.Outage) (end func(context.Context) error, err error)
}

// Service says what one service of a run is, and who hears it.
type Service struct {
	_ struct{}

	Name     string
	Settings any // of the service's own type; nil: it has none
	// Frame has the log, the seam and who identifies calls. What else it has is the ground's to decide.
	Frame service.Config
	// Emit takes the events of an approval service, Escalated those of a desk.
	Emit      func(task string, e approval.Event)
	Escalated func(task, id string)
	// Failed is told when the service cannot go on; what it recorded may be lost.
	Failed func(error)
}

// Backend is one running service.
type Backend interface {
	Name() string
	Addr() string
	// Quiet tells that nothing here changes any more without another request.
	Quiet() bool
	Close(ctx context.Context) error
	// Ledger is what the service holds, of its own type; nil where it cannot be had.
	Ledger() any
}
