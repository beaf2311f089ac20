package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

// mind is what one worker can know about one intent: the set of standings that
// the evidence delivered to it permits.
type mind struct {
	set contract.Standings
	// checkpoint is the set at the worker's last write, claim, escalation or result. What it learned
	// since may be lost with a SIGKILL.
	checkpoint contract.Standings
}

// rank orders standings by how much they settle: evidence never takes an
// intent back to a lower one, so that a late old message changes nothing.
func rank(s contract.Standing) int {
	switch s {
	case contract.Unsent:
		return 0
	case contract.InDoubt, contract.Conflict:
		return 1
	case contract.Refused, contract.NotExecuted:
		return 2
	case contract.Accepted, contract.Partial:
		return 3
	default:
		return 4
	}
}

// effect is what a piece of evidence does to a set of standings.
type effect struct {
	to contract.Standing
	// restore takes a send back: the attempt had no effect and no other can have had one.
	restore bool
	// maybe leaves the old standings in the set.
	maybe bool
}

func (e effect) nothing() bool { return e.to == 0 }

// apply is the set after the evidence was received.
func (e effect) apply(old contract.Standings) contract.Standings {
	if e.nothing() {
		return old
	}
	if e.maybe {
		return old | e.raise(old)
	}
	return e.raise(old)
}

func (e effect) raise(old contract.Standings) contract.Standings {
	var next contract.Standings
	for _, s := range old.All() {
		switch {
		case e.restore && s == contract.InDoubt:
			next |= contract.Standings(e.to)
		case e.restore:
			next |= contract.Standings(s)
		case rank(s) > rank(e.to), s == contract.Withdrawn && e.to == contract.Approved:
			next |= contract.Standings(s)
		default:
			next |= contract.Standings(e.to)
		}
	}
	return next
}

// sent is the set after a send left.
func sent(old contract.Standings) contract.Standings {
	var next contract.Standings
	for _, s := range old.All() {
		switch s {
		case contract.Unsent, contract.Refused, contract.NotExecuted:
			next |= contract.Standings(contract.InDoubt)
		default:
			next |= contract.Standings(s)
		}
	}
	return next
}
