package timeline

import (
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// A lane is one column of the picture.
type lane int

const (
	people lane = iota
	control
	agent
	wire
	service
	ledger
	none // the frame of the run: listed, not drawn
)

var laneNames = [...]string{"people", "control", "agent", "wire", "service", "ledger", "run"}

func (l lane) String() string { return laneNames[l] }

// title heads the lane.
func (l lane) title() string {
	if l == control {
		return "control plane"
	}
	return l.String()
}

// x is the middle of each lane, in pixels of the picture.
var laneX = [...]float64{people: 132, control: 272, agent: 500, wire: 690, service: 860, ledger: 990}

func (l lane) x() float64 { return laneX[l] }

// laneOf is where a record is seen.
func laneOf(r history.Record) lane {
	who, _, _ := strings.Cut(string(r.Kind), ".")
	switch who {
	case "conn", "call":
		return wire
	case "service":
		return service
	case "ledger":
		return ledger
	case "work":
		return control
	case "control":
		if r.Control != nil && byPeople(r.Control.Change) && r.Kind == history.ControlPlaced {
			return people
		}
		return control
	case "process":
		return agent
	case "fault":
		return struck(r)
	}
	return none
}

func byPeople(change string) bool {
	switch change {
	case history.Cancel, history.Revise, history.Decision, history.RevokeConfirmation, history.RevokePermission:
		return true
	}
	return false
}

// Strikes is the family of the last effect in a list as records write it: the
// one that decides what becomes of the call.
func Strikes(effects string) fault.Family {
	family := fault.Wire
	for _, part := range strings.Split(effects, ", ") {
		name, _, _ := strings.Cut(part, ":")
		name, _, _ = strings.Cut(name, " ")
		if kind, ok := fault.FindKind(name); ok {
			family = kind.Family
		}
	}
	return family
}

// struck is the lane that a fault acts on.
func struck(r history.Record) lane {
	if r.Fault == nil || r.Kind == history.FaultPlanned || r.Kind == history.FaultArmed && r.Fault.Reason == "" {
		return none // it was so from the start
	}
	switch Strikes(r.Fault.Effect) {
	case fault.Service:
		return service
	case fault.Agent:
		return agent
	case fault.People:
		return people
	default:
		return wire
	}
}
