package fault

import (
	"fmt"
	"slices"
	"strings"
)

// The checks below answer where an effect may stand. Each returns nil, or the
// reason and the way out.

// anywhere lets an effect stand at every anchor.
func anywhere(Anchor) error { return nil }

// onWire lets an effect stand where the gate has a message: a request at sent,
// a reply at replied. The phases between belong to the service: the gate has
// passed the request on and has no reply yet.
func onWire(name string, phases ...Phase) func(Anchor) error {
	return func(a Anchor) error {
		s := a.Last()
		switch {
		case !s.Call():
			return fmt.Errorf("%s acts on a message, and %q is no call: use a phase of a call (%s)", name, s, join(phases))
		case slices.Contains(phases, s.Phase):
			return nil
		case s.Phase == Delivered:
			return fmt.Errorf("%s comes too late at delivered: the client has the whole reply; use replied", name)
		case s.Phase == Sent || s.Phase == Replied:
			return fmt.Errorf("%s acts at %s, not at %s", name, join(phases), s.Phase)
		}
		return fmt.Errorf("%s acts on the wire, and at %s the message is inside the service: use %s, or crash for a service that breaks off there", name, s.Phase, join(phases))
	}
}

// inService lets an effect stand at phases at which a service has the request.
func inService(name string, phases ...Phase) func(Anchor) error {
	return func(a Anchor) error {
		s := a.Last()
		switch {
		case !s.Call():
			return fmt.Errorf("%s is done by a service to a request, and %q is no call: use %s of a call", name, s, join(phases))
		case slices.Contains(phases, s.Phase):
			return nil
		case s.Phase == Replied || s.Phase == Delivered:
			return fmt.Errorf("%s comes too late at %s: the service has written its reply; use %s", name, s.Phase, join(phases))
		case s.Phase == Sent:
			return fmt.Errorf("%s comes too early at sent: the service does not have the request; use %s", name, join(phases))
		}
		return fmt.Errorf("%s acts at %s, not at %s", name, join(phases), s.Phase)
	}
}

func join(phases []Phase) string {
	words := make([]string, len(phases))
	for i, p := range phases {
		words[i] = string(p)
	}
	return strings.Join(words, " or ")
}
