package fault

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Anchor is the moment at which a fault fires: its last step, once the steps
// before it have been passed, in their order ("A and then B").
type Anchor struct {
	_ struct{}

	Steps []Step
}

// NoEnd is the Last of a step that means every ordinal.
const NoEnd = math.MaxInt

// Step is one point of an anchor: a phase of the calls First to Last of an
// operation, or an event that is no call.
type Step struct {
	_ struct{}

	Task string // the id of a task of the scenario; empty: any

	Service   string
	Operation string
	Phase     Phase

	Event  string // a constant of this package; then the fields of a call are empty
	Detail string // the claimed state, or the event's type

	First, Last int // ordinals, inclusive; Last is [NoEnd] for "#every"
}

// Last is the step at which the fault fires.
func (a Anchor) Last() Step {
	if len(a.Steps) == 0 {
		return Step{}
	}
	return a.Steps[len(a.Steps)-1]
}

// IsZero tells whether there is no anchor.
func (a Anchor) IsZero() bool { return len(a.Steps) == 0 }

// String is the anchor as scenarios write it.
func (a Anchor) String() string {
	steps := make([]string, len(a.Steps))
	for i, s := range a.Steps {
		steps[i] = s.String()
	}
	return strings.Join(steps, " and then ")
}

// Call tells whether the step is a phase of a call.
func (s Step) Call() bool { return s.Event == "" }

// Single tells whether the step names one ordinal.
func (s Step) Single() bool { return s.First == s.Last }

// Covers tells whether an ordinal is one of the step's.
func (s Step) Covers(ordinal int) bool { return s.First <= ordinal && ordinal <= s.Last }

// Matches tells whether the step is at this point. Copies that a fault made
// are at no step.
func (s Step) Matches(p Point) bool {
	if p.Copy || s.Event != p.Event || !s.Covers(p.Ordinal) || (s.Task != "" && s.Task != p.Task) {
		return false
	}
	if s.Event != "" {
		return s.Detail == "" || s.Detail == p.Detail
	}
	return s.Service == p.Service && s.Operation == p.Operation && s.Phase == p.Phase
}

// String is the step as scenarios write it. An event of the agent or the task
// that means the first one carries no ordinal.
func (s Step) String() string {
	var b strings.Builder
	if s.Task != "" {
		b.WriteString(s.Task + "/")
	}
	ordinal := "#" + s.ordinal()
	switch s.Event {
	case "":
		fmt.Fprintf(&b, "%s.%s%s %s", s.Service, s.Operation, ordinal, s.Phase)
		return b.String()
	case EventEmitted, EventDelivered:
		fmt.Fprintf(&b, "event %s%s %s", s.Detail, ordinal, strings.TrimPrefix(s.Event, "event "))
		return b.String()
	case ConfirmationDelivered:
		fmt.Fprintf(&b, "control.confirmation%s delivered", ordinal)
		return b.String()
	case AgentClaims:
		b.WriteString(AgentClaims + " " + s.Detail)
	default:
		b.WriteString(s.Event)
	}
	if s.First != 1 || s.Last != 1 {
		b.WriteString(ordinal)
	}
	return b.String()
}

func (s Step) ordinal() string {
	switch {
	case s.Last == NoEnd:
		return "every"
	case s.Single():
		return strconv.Itoa(s.First)
	default:
		return fmt.Sprintf("%d..%d", s.First, s.Last)
	}
}
