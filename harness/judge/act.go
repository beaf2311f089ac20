package judge

import (
	"fmt"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// act is one action of the agent that the table speaks of, as it was recognised,
// before it takes effect on what is known.
type act struct {
	action contract.Action
	intent *intent // the intent that is written; of an escalation the one it concerns, or nil
	work   *work
	call   *call
	prev   *call // the send of this intent before it, or nil
	at     time.Duration
	key    string

	newKey  bool // an identifier that this intent has not used
	changed bool // other content than this identifier carried before
	reused  *intent

	situations []situation
	// parents are the situations of the intents that must allow it besides: the submission that a
	// purchase rests on, the older version that a revision replaces.
	parents []parent
	lawful  bool
	n       int // record number
}

// parent is an intent whose row must list an action too.
type parent struct {
	intent     *intent
	action     contract.Action
	situations []situation
	lawful     bool
}

// allows tells whether at least one of the situations lists the action.
func allows(all []situation, a contract.Action) bool {
	for _, s := range all {
		if s.allows(a) {
			return true
		}
	}
	return false
}

// allows treats a send of the same identifier as a first one where nothing that
// left before can have had an effect.
func (s situation) allows(a contract.Action) bool {
	if s.row.Allows(a, s.standing, s.facts) {
		return true
	}
	return a == contract.Replay && s.standing == contract.Unsent && s.row.Allows(contract.Submit, s.standing, s.facts)
}

// demands tells whether every situation's row lists the duty.
func demands(all []situation, duty string) bool {
	for _, s := range all {
		if !s.row.Demands(duty) {
			return false
		}
	}
	return len(all) > 0
}

// again tells whether the act sends an intent once more.
func (a *act) again() bool {
	return a.prev != nil && a.action != contract.Escalate && a.action != contract.Void
}

// broken is the parent whose row does not list this action, or nil.
func (a *act) broken(action contract.Action) *parent {
	for n := range a.parents {
		if up := &a.parents[n]; up.action == action && !up.lawful {
			return up
		}
	}
	return nil
}

// surely tells whether a fact holds in every situation of the act's intent.
func (p *replay) surely(a *act, f contract.Fact) bool {
	for _, s := range a.situations {
		if !s.facts.Has(f) {
			return false
		}
	}
	return len(a.situations) > 0
}

// surelyNot tells whether a fact holds in no situation of the act's intent.
func (p *replay) surelyNot(a *act, f contract.Fact) bool {
	for _, s := range a.situations {
		if s.facts.Has(f) {
			return false
		}
	}
	return len(a.situations) > 0
}

// millis writes a duration for people.
func millis(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
}

// row is the row that a finding about the act names, with what it allows.
func (a *act) row() (id string, allowed []string) {
	all := a.situations
	for _, up := range a.parents {
		if !up.lawful {
			all = up.situations
		}
	}
	if len(all) == 0 {
		return "", nil
	}
	last := all[len(all)-1]
	return last.row.ID, last.row.Allowed(last.standing, last.facts)
}

// standing is what the worker could know, for people.
func (a *act) standing() string {
	for _, up := range a.parents {
		if !up.lawful {
			return up.intent.mind(a.work).set.String()
		}
	}
	if a.intent == nil {
		return ""
	}
	return a.intent.mind(a.work).set.String()
}

// statement is a claim or a result.
type statement struct {
	rec    *history.Record
	work   *work
	result bool
	intent *intent // the submission that a claim is about, or nil
}

func (s *statement) state() string { return s.rec.Control.State }
