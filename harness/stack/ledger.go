package stack

import (
	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/desk"
	"github.com/lostreceipt/lostreceipt/fakes/knowledge"
	"github.com/lostreceipt/lostreceipt/fakes/purchase"
)

// Ledger is what the services hold, by their own account: evidence beside the
// rows of the history.
type Ledger struct {
	_ struct{}

	Approval  approval.Ledger   `json:"approval"`
	Purchase  purchase.Ledger   `json:"purchase"`
	Desk      desk.Ledger       `json:"desk"`
	Knowledge *knowledge.Ledger `json:"knowledge,omitempty"` // nil: no task has a tool
}

// Ledger is a copy of what the services hold now; also after Close. A service
// that no task needs holds nothing.
func (s *Stack) Ledger() Ledger {
	l := Ledger{
		Approval: approval.Ledger{}, Purchase: purchase.Ledger{Purchases: []purchase.LedgerPurchase{}}, Desk: desk.Ledger{Escalations: []desk.Escalation{}},
	}
	for _, b := range s.backends {
		switch held := b.Ledger().(type) {
		case approval.Ledger:
			l.Approval = held
		case purchase.Ledger:
			l.Purchase = held
		case desk.Ledger:
			l.Desk = held
		case knowledge.Ledger:
			l.Knowledge = &held
		}
	}
	return l
}
