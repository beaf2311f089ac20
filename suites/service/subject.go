package service

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// Subject is the service that is checked, and what its owner lends to the
// checks. Approvals is all that it needs.
type Subject struct {
	_ struct{}

	// Approvals speaks to the service.
	Approvals Approvals
	// Promises are what the service says that it keeps: the entries approval.submit, approval.withdraw and
	// approval.notify are used, and what has none is not promised. Nil: Everything(0).
	Promises contract.Guarantees

	// Announces is what the one notification of a request tells people: Decision, or Acceptance, for a service
	// that tells them when it has taken a request and not again. "": Decision.
	Announces string

	// Fresh makes a submission that the service will take, under an identifier, a confirmation and an object
	// that nobody has used. Nil: names at random, tenant "acme", a content of amount, currency and applicant.
	Fresh func() Submission
	// Tenant is a second tenant, for the scope of identifiers. "": "acme-2".
	Tenant string

	// Decide lets the approver decide about a record: Approved or Declined. Nil: what needs it is skipped.
	Decide func(ctx context.Context, ref, outcome string) error
	// Notifications counts the notifications that were sent about a record. Nil: what needs it is skipped.
	Notifications func(ctx context.Context, ref string) (int, error)
	// BreakOff makes the service break off in the next submission, when it has carried it out and not
	// answered. Nil: what needs it is skipped.
	BreakOff func(ctx context.Context) error
	// Refusable makes a submission that the service refuses for good. Nil: the refusal of a conflict will do.
	Refusable func() Submission
	// Wait lets time pass. Nil: it passes by itself.
	Wait func(ctx context.Context, d time.Duration) error
	// MaxWait is the longest time that a check lets pass, in the service's time. 0: a minute. A retention that
	// is longer is not checked.
	MaxWait time.Duration

	// Patience is how long a query may be behind, and how long an acceptance may take after its answer. 0: ten seconds.
	Patience time.Duration
	// Clients is how many submit at once. 0: 16.
	Clients int
	// Rounds is how often they do. 0: 10.
	Rounds int
	// Seed decides what the clients do. 0: another each time; failures name it.
	Seed uint64
}

// What a service tells people of.
const (
	Decision   = "decision"
	Acceptance = "acceptance"
)

// Everything is what a service promises that promises everything, with
// identifiers kept for this time; 0: for ever.
func Everything(retention time.Duration) contract.Guarantees {
	p := contract.Promise{
		Idempotency: contract.Idempotency{
			Supported: true, Scope: []string{"tenant", "action", "object"},
			RetentionMS: float64(retention) / float64(time.Millisecond), Conflict: "reject",
		},
		Query:            contract.Query{ByRef: true, ByKey: true},
		Void:             true,
		NoEffectStatuses: []int{403, 409, 422, 429},
		WithdrawStates:   []string{Pending},
	}
	return contract.Guarantees{"approval.submit": p, "approval.withdraw": p, "approval.notify": p}
}

// complete is the subject with its defaults.
func (s Subject) complete() (*Subject, error) {
	if s.Approvals == nil {
		return nil, errors.New("service: nothing to check: set Subject.Approvals, for example to service.HTTP{URL: ...}")
	}
	if s.Promises == nil {
		s.Promises = Everything(0)
	}
	switch s.Announces {
	case "":
		s.Announces = Decision
	case Decision, Acceptance:
	default:
		return nil, fmt.Errorf("service: Subject.Announces is %q: want %s or %s", s.Announces, Decision, Acceptance)
	}
	if s.Fresh == nil {
		s.Fresh = fresh
	}
	if s.Tenant == "" {
		s.Tenant = "acme-2"
	}
	if s.Wait == nil {
		s.Wait = pass
	}
	if s.MaxWait == 0 {
		s.MaxWait = time.Minute
	}
	if s.Patience == 0 {
		s.Patience = 10 * time.Second
	}
	if s.Clients == 0 {
		s.Clients = 16
	}
	if s.Rounds == 0 {
		s.Rounds = 10
	}
	return &s, nil
}

func fresh() Submission {
	name := strings.ToLower(rand.Text())
	return Submission{
		Key: "k-" + name, Confirmation: "c-" + name, Version: 1, Tenant: "acme", Object: "po-" + name,
		Content: json.RawMessage(`{"amount":"1200.00","currency":"EUR","applicant":"u-1"}`), Digest: "d-" + name,
	}
}

// pass waits until time has passed by itself.
func pass(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *Subject) promise(operation string) contract.Promise {
	return s.Promises["approval."+operation]
}

// another is a name that nobody has used.
func another(prefix string) string { return prefix + "-" + strings.ToLower(rand.Text()) }
