package approval_test

import (
	"os"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/approval/approvaltest"
	"github.com/lostreceipt/lostreceipt/fakes/service/servicetest"
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
)

func TestTheFakeKeepsTheContract(t *testing.T) {
	a := open(t, approval.Settings{Plain: true})
	a.NewName = nil // several clients at once
	for _, p := range approvaltest.Promises() {
		t.Run(p.Name, func(t *testing.T) {
			NewWithT(t).Expect(p.Applies(nil)).To(BeTrue())
			p.Check(t, a.Target)
		})
	}
}

// TestAServiceElsewhereKeepsTheContract checks the service at a base URL:
//
//	LOSTRECEIPT_APPROVAL_URL=https://approval.test go test ./fakes/approval -run Elsewhere
func TestAServiceElsewhereKeepsTheContract(t *testing.T) {
	url := os.Getenv("LOSTRECEIPT_APPROVAL_URL")
	if url == "" {
		t.Skip("LOSTRECEIPT_APPROVAL_URL names no service")
	}
	a := &approvaltest.Target{Client: servicetest.Client{URL: url}}
	for _, p := range approvaltest.Promises() {
		t.Run(p.Name, func(t *testing.T) { p.Check(t, a) })
	}
}

func TestWhatIsNotPromisedIsNotChecked(t *testing.T) {
	g := NewWithT(t)
	some := contract.Guarantees{"approval.submit": {Query: contract.Query{ByRef: true}}}
	var names []string
	for _, p := range approvaltest.Promises() {
		g.Expect(p.Covers).NotTo(BeEmpty(), p.Name)
		if p.Applies(some) {
			names = append(names, p.Name)
		}
	}
	g.Expect(names).To(Equal([]string{
		"a submission becomes a record that can be tracked", "an unknown reference is not found", "without an identifier every submission is new",
		"a message that cannot be read names its field",
	}))
}

func TestOneOrderOfEventsIsFoundAlsoWhenRepliesAreLost(t *testing.T) {
	g := NewWithT(t)
	a := open(t, approval.Settings{})
	a.NewName = nil
	crash := fault.Order{Conduct: fault.Conduct{Crash: true}}
	for _, anchor := range []string{"submit#2 received", "submit#3 validated", "submit#1 committed", "submit#5 committed", "void#1 committed", "withdraw#1 committed", "query#3 received"} {
		a.seam.Order(anchor, crash)
	}
	g.Expect(a.Disorder(t, 7)).To(BeEmpty())
}

func TestABrokenPromiseLeavesNoOrderOfEvents(t *testing.T) {
	for _, broken := range []string{approval.BreakIdempotency, approval.BreakConflict, approval.BreakVoid} {
		t.Run(broken, func(t *testing.T) {
			g := NewWithT(t)
			a := open(t, approval.Settings{Breaks: []string{broken}})
			a.NewName = nil
			problems := a.Disorder(t, 7)
			g.Expect(problems).NotTo(BeEmpty())
			g.Expect(problems[0]).To(And(HavePrefix("no order of events explains what was told of k-"), ContainSubstring("(seed 7):\n  client ")))
		})
	}
}
