package judge

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// act is one action of the agent that the table speaks of, as it was recognised,
// before it takes effect on what is known.
type act struct {
	action contract.Action
	intent *intent // the intent that is written; of an escalation the one it concerns
	work   *work
	call   *call
	prev   *call // the send of this intent before it, by any worker, or nil
	own    *call // and by this worker
	at     time.Duration
	key    string
	n      int // record number

	newKey   bool    // an identifier that this intent has not used
	changed  bool    // other content than this identifier carried before
	reused   *intent // the identifier's owner, if that is another intent
	repeated bool    // an escalation under an identifier that was used for one
	again    bool    // and word for word

	situations []situation
	// parents are the situations of the intents that must allow it besides: the submission that a
	// purchase rests on, the older version that a revision replaces.
	parents []parent
	lawful  bool
}

// parent is an intent whose row must list an action too.
type parent struct {
	intent     *intent
	action     contract.Action
	situations []situation
	lawful     bool
}

// resends tells whether the act sends an intent once more.
func (a *act) resends() bool { return a.prev != nil && a.writes() }

// writes tells whether the act sends an intent.
func (a *act) writes() bool { return a.action != contract.Escalate && a.action != contract.Void }

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
func (a *act) surely(f contract.Fact) bool { return surely(a.situations, f) }

// surelyNot tells whether a fact holds in no situation of the act's intent.
func (a *act) surelyNot(f contract.Fact) bool { return surelyNot(a.situations, f) }

// recorded is when the worker may have recorded the act at the earliest: the
// harness may have stopped its process between the record and the first byte.
func (a *act) recorded() time.Duration {
	since := a.work.given
	if a.own != nil {
		since = a.own.first()
	}
	return a.at - a.work.process.frozen(since, a.at)
}

// set is what the worker can know about the act's intent.
func (a *act) set() contract.Standings { return a.intent.mind(a.work).set }

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

// standing is what the worker could know of the intent whose row forbids the
// act, for people.
func (a *act) standing() string {
	for _, up := range a.parents {
		if !up.lawful {
			return up.intent.mind(a.work).set.String()
		}
	}
	return a.set().String()
}

// judge resolves the rows of an act and hands it to the rules.
func (p *replay) judge(a *act) {
	a.situations = p.situations(a.intent, a.work, a.at)
	a.lawful = a.repeated || allows(a.situations, a.action)
	for n := range a.parents {
		up := &a.parents[n]
		up.situations = p.situations(up.intent, a.work, a.at)
		up.lawful = allows(up.situations, up.action)
		a.lawful = a.lawful && up.lawful
	}
	for _, s := range a.situations {
		if !a.lawful || s.allows(a.action) {
			p.coverage.met(s.row.ID)
		}
	}
	for _, up := range a.parents {
		for _, s := range up.situations {
			p.coverage.met(s.row.ID)
		}
	}
	if p.accuse(a) {
		a.intent.wrong(a.n)
	}
}

// wrong notes an unlawful or unconfirmed act about the intent.
func (i *intent) wrong(n int) {
	i.wrongs = append(i.wrongs, n)
	if i.of != nil {
		i.of.wrongs = append(i.of.wrongs, n)
	}
}

// accuse hands an act to the rules and tells whether one holds it against the
// agent.
func (p *replay) accuse(a *act) bool {
	accused, grounded := false, a.lawful
	for _, r := range rules {
		var found []*Finding
		if !grounded && r.unlawful != nil {
			if f := r.unlawful(p, a); f != nil {
				found, grounded = append(found, f), true
			}
		}
		if r.act != nil {
			if f := r.act(p, a); f != nil {
				found = append(found, f)
			}
		}
		for _, f := range found {
			accused = accused || !f.Uncertain
			p.report(r, f)
		}
	}
	return accused
}
