package scenario_test

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/purchase"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

func TestScenariosCanBreakWhatTheServicesCanBreak(t *testing.T) {
	g := NewWithT(t)
	g.Expect(scenario.Breakable()).To(Equal(approval.Breakable()))
	g.Expect(scenario.PurchaseBreakable()).To(Equal(purchase.Breakable()))
}
