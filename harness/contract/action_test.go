package contract_test

import (
	"testing"

	"github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

func TestNoRowHasASayInReads(t *testing.T) {
	g := gomega.NewWithT(t)
	for _, op := range contract.Operations() {
		if !op.Write {
			g.Expect(contract.Action(op.Name).Known()).To(gomega.BeFalse(), "%s only reads, so that every row allows it", op)
		}
	}
	for _, row := range shipped(t).Rows {
		for _, permit := range row.Allow {
			g.Expect(permit.Action.Known()).To(gomega.BeTrue(), "%s", row.ID)
		}
	}
}
