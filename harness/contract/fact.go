package contract

import (
	"math/bits"
	"strings"
)

// Fact is something that is known beside the standing of an intent.
type Fact uint32

// The facts, each a bit of a [Facts] set.
const (
	Idempotent          Fact = 1 << iota // the operation promises to recognise a repeated identifier
	Protected                            // and the deduplication record is still valid now
	Queryable                            // a query entry by identifier is promised
	VoidPromised                         // an identifier can be fenced
	InPeriod                             // the verification period is running, or has not begun
	AttemptsLeft                         // the write may be sent once more within its budget
	Unauthorized                         // the authorization is known to be invalid
	Cancelled                            // the task is cancelled
	Revised                              // a newer version of the confirmation exists
	Decided                              // a person's decision was delivered
	Stopped                              // the run's own guard has stopped the task
	Escalated                            // the task was handed to a person
	WithdrawWanted                       // the task's rule says that a cancelled request is withdrawn
	Withdrawable                         // the record is in a state in which a withdrawal is accepted
	WithdrawTried                        // a withdrawal was sent
	PurchaseSent                         // the dependent purchase was sent
	NotificationMissing                  // the notification is known to be missing
	WaitExceedsPeriod                    // a service asks to wait for longer than what is left of the verification period
	Closed                               // a person has closed the matter
	ReadOnly                             // no intent is meant, but a call that has no consequence: of a tool, of a model
)

var factNames = []string{
	"idempotent", "protected", "queryable", "void-promised", "in-period", "attempts-left", "unauthorized", "cancelled",
	"revised", "decided", "stopped", "escalated", "withdraw-wanted", "withdrawable", "withdraw-tried", "purchase-sent",
	"notification-missing", "wait-exceeds-period", "closed", "read-only",
}

// String is the name that contract tables use.
func (f Fact) String() string {
	if i := bits.TrailingZeros32(uint32(f)); bits.OnesCount32(uint32(f)) == 1 && i < len(factNames) {
		return factNames[i]
	}
	return "fact(?)"
}

// ParseFact is the inverse of [Fact.String].
func ParseFact(name string) (Fact, bool) {
	for i, n := range factNames {
		if n == name {
			return 1 << i, true
		}
	}
	return 0, false
}

// FactNames are all names, in the order of their documentation.
func FactNames() []string { return append([]string(nil), factNames...) }

// Facts is a set of facts that hold; those not in it do not.
type Facts uint32

// Has tells whether f holds.
func (set Facts) Has(f Fact) bool { return set&Facts(f) != 0 }

// With returns the set with f holding or not.
func (set Facts) With(f Fact, holds bool) Facts {
	if holds {
		return set | Facts(f)
	}
	return set &^ Facts(f)
}

// String lists the facts that hold.
func (set Facts) String() string {
	var names []string
	for rest := uint32(set); rest != 0; rest &= rest - 1 {
		names = append(names, Fact(1<<bits.TrailingZeros32(rest)).String())
	}
	return strings.Join(names, ", ")
}
