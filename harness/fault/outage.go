package fault

import (
	"context"
	"errors"
)

// Processes is the capability that services must have for the effects that act
// on a service's own process: the services of `--stack containers` have it,
// those of an embedded stack are no processes of their own.
const Processes = "processes"

// Outage is what happens to a service's process.
type Outage string

// The outages.
const (
	Killed   Outage = "kill-service"    // SIGKILL; another process takes up its ledger
	Frozen   Outage = "pause-service"   // it stands still, and goes on
	Isolated Outage = "isolate-service" // it runs, cut off the network
)

// outage plans one, for a while; 0: only as long as it takes.
func (f *Firing) outage(how Outage, d Span) {
	service := f.Point.Service
	begin := func(ctx context.Context, h Hands, until <-chan struct{}) error {
		return h.Outage(ctx, service, how, until)
	}
	if d.IsZero() {
		over := make(chan struct{})
		close(over)
		f.Move(string(how), func(ctx context.Context, h Hands) error { return begin(ctx, h, over) })
		return
	}
	f.Window(string(how), End{For: d}, begin)
}

// standOutage lets an outage stand where a service has a request, of a service
// that is told to which it happens.
func standOutage(how Outage) func(Anchor) error {
	inService := inService(string(how), Received, Validated, Committed)
	return func(a Anchor) error {
		if err := inService(a); err != nil {
			return err
		}
		if !a.Last().Single() {
			return errors.New(string(how) + " happens to one process at one moment: name one ordinal")
		}
		return nil
	}
}
