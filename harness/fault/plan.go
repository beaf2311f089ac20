package fault

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// The values of [Fault.Connection].
const (
	Fresh  = "fresh"  // only on a connection that carries its first request
	Reused = "reused" // only on a connection that carried an earlier one
)

// Fault is one fault of a scenario.
type Fault struct {
	_ struct{}

	At Anchor
	// Delay is how long after the anchor it fires. Only effects that leave the message alone can be delayed.
	Delay Span
	// Connection narrows it to calls on a fresh or a reused connection. Empty: any.
	Connection string
	// Optional marks a fault that some correct designs never meet.
	Optional bool
	// Do are the effects, carried out in order.
	Do []Effect
}

// Effect is the list of effects as receipts carry it.
func (f Fault) Effect() string {
	names := make([]string, len(f.Do))
	for i, e := range f.Do {
		names[i] = e.String()
	}
	return strings.Join(names, ", ")
}

// Subject is what a plan is checked against.
type Subject struct {
	_ struct{}

	Limits     contract.Limits
	Guarantees contract.Guarantees
	// Tasks are the ids of the scenario's tasks; [Point.Task] carries one of them. With more than one, every
	// anchor names its task.
	Tasks []string
	// Services are those that the tasks are given: a call of another never comes. Nil: any.
	Services []string
	// Questions are those of Tasks that hold no confirmation.
	Questions []string
	// Opens are the operations that every correct agent calls, beside the first sends of writes, and how often at least.
	Opens map[string]int
	// Intents is how many confirmations the task with most of them has. 0 counts as 1.
	Intents int
}

// Plan is a scenario's faults, checked and numbered.
type Plan struct {
	limits contract.Limits
	faults []Planned
}

// Planned is a fault of a plan.
type Planned struct {
	_ struct{}

	ID string // f-1, f-2, ... in the order of the scenario
	Fault
}

// Limits are what the plan's spans are multiples of.
func (p *Plan) Limits() contract.Limits { return p.limits }

// Faults are the plan's faults in the order of the scenario.
func (p *Plan) Faults() []Planned { return slices.Clone(p.faults) }

// Count is how many effects of a name the plan has.
func (p *Plan) Count(effect string) int {
	n := 0
	for _, f := range p.faults {
		for _, e := range f.Do {
			if e.Name() == effect {
				n++
			}
		}
	}
	return n
}

// Needs are the capabilities that an agent must have for the plan's effects.
func (p *Plan) Needs() []string {
	var needs []string
	for _, f := range p.faults {
		for _, e := range f.Do {
			if k, ok := FindKind(e.Name()); ok {
				needs = append(needs, k.Needs...)
			}
		}
	}
	slices.Sort(needs)
	return slices.Compact(needs)
}

// Compile checks faults against a subject and numbers them. What is wrong
// comes back as a list, its paths beginning with the fault's number in the
// list, from 0; the plan is nil then.
func Compile(s Subject, faults []Fault) (*Plan, []*Misuse) {
	c := compiler{subject: s, faults: faults}
	for i, f := range faults {
		c.checkFault(i, f)
	}
	c.checkReach()
	c.checkReceipt()
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	p := &Plan{limits: s.Limits}
	for i, f := range faults {
		p.faults = append(p.faults, Planned{ID: fmt.Sprintf("f-%d", i+1), Fault: f})
	}
	return p, nil
}
