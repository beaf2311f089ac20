package scenario

import (
	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
)

// What a scenario does not say.
const (
	DefaultTenant   = "acme"
	DefaultObject   = "po-17"
	DefaultOnCancel = "withdraw"
	DefaultOutcome  = "approved"

	// PurchaseApproval is the type of a task that is submitted, tracked, and bought when it is approved.
	PurchaseApproval = "purchase-approval"

	// Question is the type of a task that is answered with tools, through a model.
	Question = "question"

	noOutcome = "none"
)

// ApproverAfter is how long the approver takes: waiting for a person is not
// doubt, and no period runs meanwhile.
func ApproverAfter() fault.Span {
	return fault.Span{Times: 0.25, Limit: "verification_period"}
}

// DefaultContent is what a person confirmed.
func DefaultContent() map[string]string {
	return map[string]string{"amount": "1200.00", "currency": "EUR", "applicant": "u-1", "item": "measuring bench"}
}

// DefaultGuarantees are what the services promise: identifiers that are kept,
// within tenant, action and object, for the retention of the run's limits, and
// entries to look up what happened.
func DefaultGuarantees() (contract.Guarantees, map[string]fault.Span) {
	promise := func(byRef bool) contract.Promise {
		return contract.Promise{
			Idempotency:      contract.Idempotency{Supported: true, Scope: []string{"tenant", "action", "object"}, Conflict: "reject"},
			Query:            contract.Query{ByRef: byRef, ByKey: true},
			NoEffectStatuses: []int{403, 409, 422, 429},
		}
	}
	submit := promise(true)
	submit.WithdrawStates = []string{"pending"}
	retention := map[string]fault.Span{}
	g := contract.Guarantees{
		"approval.submit":   submit,
		"approval.withdraw": promise(true),
		"approval.notify":   promise(true),
		"purchase.buy":      promise(false), // the purchase service has no route for one purchase by its reference
	}
	for op := range g {
		retention[op] = fault.Span{Times: 1, Limit: "retention"}
	}
	return g, retention
}
