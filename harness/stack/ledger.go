package stack

import (
	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/desk"
	"github.com/lostreceipt/lostreceipt/fakes/purchase"
)

// Ledger is what the services hold, by their own account: evidence beside the
// rows of the history.
type Ledger struct {
	_ struct{}

	Approval approval.Ledger `json:"approval"`
	Purchase purchase.Ledger `json:"purchase"`
	Desk     desk.Ledger     `json:"desk"`
}

// Ledger is a copy of what the services hold now; also after Close.
func (s *Stack) Ledger() Ledger {
	return Ledger{Approval: s.approval.Ledger(), Purchase: s.purchase.Ledger(), Desk: s.desk.Ledger()}
}
