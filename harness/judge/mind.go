package judge

import "github.com/lostreceipt/lostreceipt/harness/contract"

// mind is what one worker can know about one intent: the set of standings that
// the evidence delivered to it permits.
type mind struct {
	set contract.Standings
	// stored is the set at the worker's last write, claim, escalation or result, if epoch is the worker's;
	// else it is set itself. What it learned since may be lost with a SIGKILL.
	stored contract.Standings
	epoch  int

	missing    tri       // the notification is known to be missing
	missingSeq int       // by the record with this number
	heard      recordKey // the record that last may have been heard of

	ref   string // of the first record that may have been heard of
	twins bool   // another record may have been heard of, and the agent may go by either

	last    *call // its last send
	visible int   // its sends, transport resends left out
	wait    *call // the last reply to one of its sends that asks for a wait
}

// learn replaces the set by what evidence makes of it.
func (m *mind) learn(w *work, set contract.Standings) {
	m.keep(w)
	m.set = set
	m.part()
}

// part tells what was accepted whole from what was accepted in part, by what is
// known about its notification: an older record takes neither back.
func (m *mind) part() {
	if !m.set.Any(contract.Accepted, contract.Partial) {
		return
	}
	m.set &^= contract.Standings(contract.Accepted | contract.Partial)
	if m.missing != yes {
		m.set |= contract.Standings(contract.Accepted)
	}
	if m.missing != no {
		m.set |= contract.Standings(contract.Partial)
	}
}

// after is the set after the evidence was received. Of two records the agent may
// go by either; both say that the send arrived.
func (m *mind) after(said reading) contract.Standings {
	next, ref := said.effect.apply(m.set), said.record.ref
	switch {
	case ref == "":
		return next
	case m.ref == "":
		m.ref = ref
	case m.ref != ref:
		m.twins = true
	}
	if !m.twins {
		return next
	}
	for _, s := range m.set.All() {
		if rank(s) >= rank(contract.Accepted) {
			next |= contract.Standings(s)
		}
	}
	return next | contract.Standings(said.effect.to)
}

// keep notes what the worker must have stored by now.
func (m *mind) keep(w *work) {
	if m.epoch < w.epoch {
		m.stored, m.epoch = m.set, w.epoch
	}
}

// sent notes that a send left: its record may never be forgotten. Under an
// identifier that is dead, or may be, it changes nothing for one who knows that.
func (m *mind) sent(w *work, id *identifier) {
	m.keep(w)
	set, stored := sent(m.set), sent(m.stored)
	if id.dead != no {
		set, stored = set|m.set, stored|m.stored
	}
	m.set, m.stored = set, stored
}

// notice takes in what a record says about the notification; an older record
// changes nothing.
func (m *mind) notice(r reading, sure bool) {
	if r.notice == unsaid || r.record.seq < m.missingSeq || r.record.ref == m.heard.ref && r.record.seq < m.heard.seq {
		return
	}
	defer m.part()
	now := known(r.notice == failed)
	if !sure || m.heard != (recordKey{}) && m.heard != r.record { // something else may have been heard meanwhile
		m.missing, m.heard = either(m.missing, now), r.record
		return
	}
	m.missing, m.missingSeq, m.heard = now, r.record.seq, recordKey{}
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

// apply is the set after the evidence was received.
func (e effect) apply(old contract.Standings) contract.Standings {
	switch {
	case e.to == 0:
		return old
	case e.maybe:
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

// lasting tells whether the evidence stands whatever is sent afterwards.
func (e effect) lasting() bool { return rank(e.to) > rank(contract.NotExecuted) }

// sent is the set after a send left.
func sent(old contract.Standings) contract.Standings {
	if fresh := contract.Standings(contract.Unsent | contract.Refused | contract.NotExecuted); old&fresh != 0 {
		return old&^fresh | contract.Standings(contract.InDoubt)
	}
	return old
}
