package fault

import (
	"context"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// Firing is one fault at one point, while its effects are applied in order.
type Firing struct {
	_ struct{}

	Point  Point
	Limits contract.Limits

	// Order is what the gate or the service will be told. Effects fill it; Wait is filled from the steps.
	Order Order

	steps []step
}

// step is one thing that has to be done, or waited for, before the message
// goes on. Exactly one of hold, move, start, window and end is set.
type step struct {
	fault  Planned // whose; set by the injector
	lift   *lift   // how anchors end its hold or window; set by the injector
	effect string
	hold   *End
	move   func(context.Context, Hands) error
	lasts  time.Duration // move: how long what it did stays in force; 0: nothing to lift
	start  func(context.Context, Hands) (inForce <-chan struct{}, err error)
	window *End
	open   func(ctx context.Context, h Hands, until <-chan struct{}) error
	end    *End          // of later; the message does not wait for it
	later  chan struct{} // closed at the end, or when the step is left out
}

// Move plans a move of the hands. The message goes on, and what stands behind
// in the list is done, when it has returned.
func (f *Firing) Move(effect string, move func(context.Context, Hands) error) {
	f.steps = append(f.steps, step{effect: effect, move: move})
}

// MoveFor is Move for something that ends by itself after d.
func (f *Firing) MoveFor(effect string, d time.Duration, move func(context.Context, Hands) error) {
	f.steps = append(f.steps, step{effect: effect, move: move, lasts: d})
}

// MoveUntil is Move for something that may come into force after the message
// has gone on. If the run ends before it did, the fault has failed.
func (f *Firing) MoveUntil(effect string, start func(context.Context, Hands) (inForce <-chan struct{}, err error)) {
	f.steps = append(f.steps, step{effect: effect, start: start})
}

// Hold plans that the message waits here until e.
func (f *Firing) Hold(effect string, e End) {
	f.steps = append(f.steps, step{effect: effect, hold: &e})
}

// Window plans something that is in force until e, while messages go on.
// open returns once it is in force.
func (f *Firing) Window(effect string, e End, open func(context.Context, Hands, <-chan struct{}) error) {
	f.steps = append(f.steps, step{effect: effect, window: &e, open: open})
}

// Later plans an end that the message does not wait for, and returns what is
// closed at it.
func (f *Firing) Later(effect string, e End) <-chan struct{} {
	later := make(chan struct{})
	f.steps = append(f.steps, step{effect: effect, end: &e, later: later})
	return later
}

// decided tells whether something already decides what becomes of the message.
func (f *Firing) decided() bool {
	o := f.Order
	return o.Action != Pass || o.Answer != nil || o.Crash || o.Distortion != "" || o.Fate != "" || o.Speech != nil
}
