package fault

import (
	"context"
	"fmt"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// refuse closes the door to a service for a while.
type refuse struct {
	service string // empty: that of the anchor
	end     End
}

const refuseUsage = "refuse: {service: <name>, until: [<anchor>, ...], for: <duration>}"

func refuseKind() Kind {
	return Kind{
		Name: "refuse", Family: Wire, Place: Before,
		Summary: "refuses new connections to a service (that of the anchor, unless it names one) for a window; live connections go on",
		Usage:   refuseUsage,
		Where:   "every anchor; one that is no call needs service:. The window is opened before the call that it is to hit, since a dial to a closed port is no call",
		Stand:   anywhere,
		Decode: func(r *Reader) Effect {
			if !r.Fields("service", "until", "for") {
				return refuse{}
			}
			return refuse{r.Field("service").OneOf("service", services()), readEnd(r, refuseUsage)}
		},
	}
}

// services are the names of all services that take calls.
func services() []string {
	var names []string
	for _, op := range contract.Operations() {
		if len(names) == 0 || names[len(names)-1] != op.Service {
			names = append(names, op.Service)
		}
	}
	return names
}

func (refuse) Name() string { return "refuse" }

func (r refuse) String() string {
	if r.service == "" {
		return "refuse: {" + r.end.String() + "}"
	}
	return fmt.Sprintf("refuse: {service: %s, %s}", r.service, r.end)
}

func (r refuse) Words() string {
	name := r.service
	if name == "" {
		name = "the service"
	}
	return "new connections to " + name + " are refused " + r.end.Words()
}

func (r refuse) ends() End      { return r.end }
func (refuse) within() []string { return []string{"refuse"} }

// fits is the check that needs the arguments as well as the anchor.
func (r refuse) fits(a Anchor) error {
	if r.service == "" && !a.Last().Call() {
		return fmt.Errorf("refuse which service? %q is no call: add service: approval, say", a.Last())
	}
	return nil
}

func (r refuse) Apply(f *Firing) {
	task, service := f.Point.Task, r.service
	if service == "" {
		service = f.Point.Service
	}
	f.Window("refuse", r.end, func(ctx context.Context, h Hands, until <-chan struct{}) error {
		return h.Refuse(ctx, task, service, until)
	})
}
