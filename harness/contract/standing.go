package contract

import (
	"fmt"
	"math/bits"
	"strings"
)

// Standing is what an agent can know about one intent.
type Standing uint16

// The standings, each a bit of a [Standings] set.
const (
	Unsent      Standing = 1 << iota // nothing has left
	InDoubt                          // a send left, and nothing delivered settles it
	Conflict                         // the service says that this identifier carries other content
	Accepted                         // a record for this identifier, with the same object, version and digest
	Partial                          // accepted, and a named consequence is known to be missing
	Refused                          // refused without effect, and no earlier attempt can have reached the service
	NotExecuted                      // fenced or refused for good: not executed, and never will be
	Approved                         // the business result: yes
	Declined                         // the business result: no
	Withdrawn                        // the business result: taken back
)

var standingNames = []string{
	"unsent", "in-doubt", "conflict", "accepted", "partial", "refused", "not-executed", "approved", "declined", "withdrawn",
}

// String is the name that contract tables use.
func (s Standing) String() string {
	if i := bits.TrailingZeros16(uint16(s)); bits.OnesCount16(uint16(s)) == 1 && i < len(standingNames) {
		return standingNames[i]
	}
	return fmt.Sprintf("standing(%#x)", uint16(s))
}

// ParseStanding is the inverse of [Standing.String].
func ParseStanding(name string) (Standing, bool) {
	for i, n := range standingNames {
		if n == name {
			return 1 << i, true
		}
	}
	return 0, false
}

// StandingNames are all names, in the order of their documentation.
func StandingNames() []string { return append([]string(nil), standingNames...) }

// Standings is a set: every standing that the evidence permits.
type Standings uint16

// Has tells whether s is in the set.
func (set Standings) Has(s Standing) bool { return set&Standings(s) != 0 }

// Only tells whether s is the set's one member.
func (set Standings) Only(s Standing) bool { return set == Standings(s) }

// Within tells whether every member is one of these.
func (set Standings) Within(of ...Standing) bool {
	var all Standings
	for _, s := range of {
		all |= Standings(s)
	}
	return set&^all == 0
}

// Any tells whether at least one member is one of these.
func (set Standings) Any(of ...Standing) bool {
	for _, s := range of {
		if set.Has(s) {
			return true
		}
	}
	return false
}

// All are the members, in the order of their documentation.
func (set Standings) All() []Standing {
	var all []Standing
	for rest := uint16(set); rest != 0; rest &= rest - 1 {
		all = append(all, Standing(1<<bits.TrailingZeros16(rest)))
	}
	return all
}

// String lists the members.
func (set Standings) String() string {
	names := make([]string, 0, 2)
	for _, s := range set.All() {
		names = append(names, s.String())
	}
	return strings.Join(names, " or ")
}
