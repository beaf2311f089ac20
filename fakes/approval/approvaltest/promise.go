package approvaltest

import (
	"slices"
	"testing"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// Promise is one sentence that must hold of an approval service.
type Promise struct {
	_ struct{}

	Name   string   // a sentence without a full stop
	Covers []string // requirements
	// Check fails the test when the sentence does not hold.
	Check func(t testing.TB, a *Target)

	needs []feature
}

// Promises are all promises, in the order of their documentation.
func Promises() []Promise {
	return slices.Concat(submissions(), changes(), messages(), order())
}

// Applies tells whether a service with these guarantees promises it at all. Nil
// guarantees promise everything.
func (p Promise) Applies(g contract.Guarantees) bool {
	if g == nil {
		g = approval.Promises(0)
	}
	for _, has := range p.needs {
		if !has(g) {
			return false
		}
	}
	return true
}

// feature is something that a service may promise.
type feature func(contract.Guarantees) bool

func tracked(g contract.Guarantees) bool    { return g["approval.submit"].Query.ByRef }
func queried(g contract.Guarantees) bool    { return g["approval.submit"].Query.ByKey }
func recognised(g contract.Guarantees) bool { return g["approval.submit"].Idempotency.Supported }
func conflicting(g contract.Guarantees) bool {
	return g["approval.submit"].Idempotency.Conflict == "reject"
}
func fenced(g contract.Guarantees) bool { return g["approval.submit"].Void }
func withdrawn(g contract.Guarantees) bool {
	return g["approval.submit"].Withdrawable(approval.Pending)
}

func scoped(g contract.Guarantees) bool {
	scope := g["approval.submit"].Idempotency.Scope
	return slices.Contains(scope, "tenant") && slices.Contains(scope, "object")
}

func notified(g contract.Guarantees) bool {
	_, has := g["approval.notify"]
	return has
}
