package judge

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// situation is one way in which things can have stood for a worker at an
// instant, and the row that it leads to.
type situation struct {
	standing contract.Standing
	facts    contract.Facts
	row      *contract.Row
}

// ways remembers the situations that a state of knowledge leads to: a history
// meets the same ones again and again.
type ways struct {
	known map[wayKey][]situation
	size  int
}

type wayKey struct {
	standings  contract.Standings
	sure, open contract.Facts
}

// maxWays bounds the situations that are remembered.
const maxWays = 1 << 16

// situations are all ways in which the intent can have stood for the worker.
// Every uncertain fact is tried both ways. A worker beside it may have recorded a
// send that has not left yet.
func (p *replay) situations(i *intent, w *work, at time.Duration) []situation {
	set := i.mind(w).set
	if set.Any(contract.Unsent, contract.NotExecuted) && w.beside() > 0 {
		set |= contract.Standings(contract.InDoubt)
	}
	sure, open := p.facts(i, w, at)
	return p.rows.all(p.table, wayKey{set, sure, open})
}

func (known *ways) all(table *contract.Table, key wayKey) []situation {
	if all, ok := known.known[key]; ok {
		return all
	}
	all := expand(table, key)
	if known.size += len(all); known.known == nil || known.size > maxWays {
		known.known, known.size = map[wayKey][]situation{}, len(all)
	}
	known.known[key] = all
	return all
}

func expand(table *contract.Table, key wayKey) []situation {
	all := make([]situation, 0, 4)
	for _, standing := range key.standings.All() {
		for some := contract.Facts(0); ; some = (some - key.open) & key.open { // each subset of the open ones
			s := situation{standing: standing, facts: key.sure | some}
			if row, ok := table.Match(standing, s.facts); ok {
				s.row = row
				all = append(all, s)
			}
			if some == key.open {
				break
			}
		}
	}
	return all
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

// surely tells whether a fact holds in every situation.
func surely(all []situation, f contract.Fact) bool {
	for _, s := range all {
		if !s.facts.Has(f) {
			return false
		}
	}
	return len(all) > 0
}

// surelyNot tells whether a fact holds in no situation.
func surelyNot(all []situation, f contract.Fact) bool {
	for _, s := range all {
		if s.facts.Has(f) {
			return false
		}
	}
	return len(all) > 0
}

// rowName is the row of an intent for a worker, for people: the one that the
// least favourable reading leads to.
func (p *replay) rowName(i *intent, w *work, at time.Duration) string {
	all := p.situations(i, w, at)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1].row.ID
}
