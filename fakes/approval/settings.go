package approval

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// Config is what an approval service is opened with.
type Config struct {
	Frame    service.Config
	Settings Settings
	// Emit takes the events of the records that the agent made, in the order in which they are put out.
	// task is the one whose submission made the record. It must not call the service. Nil: events go nowhere.
	Emit func(task string, e Event)
}

// Settings say how one approval service behaves. The zero value promises
// everything, decides nothing, and is never late.
type Settings struct {
	// Promises are the guarantees; the entries approval.submit, approval.withdraw and approval.notify are
	// used, and what has none is not offered. Nil: [Promises].
	Promises contract.Guarantees
	// Outcome is what the approver decides: [Approved] or [Declined]. "": nothing, requests stay pending.
	Outcome string
	// ApproverAfter is how long after the creation. 0: at once.
	ApproverAfter time.Duration
	// ReplicaLag is how old the data is that queries by key and searches read. 0: they read the primary.
	ReplicaLag time.Duration
	// Queue makes a gateway answer submissions with a queue number (202); they are accepted CreateAfter later.
	Queue bool
	// CreateAfter delays the acceptance; the request is answered 202 before it, as processing. 0: within the request.
	CreateAfter time.Duration
	// Refuses is a code; with it the service refuses every submission for good, with 422. "": it takes them.
	Refuses string
	// Announces is what the one notification of a request tells people: [Decision], or [Acceptance], in one step with the
	// creation. "": a decision.
	Announces string
	// NotificationFails is how many notifications fail before one is sent. 0: none.
	NotificationFails int
	// NotificationAfter is how long after the decision its notification is sent. 0: in one step with it.
	NotificationAfter time.Duration
	// Plain leaves out the foreign record, similar to what is looked for, that searches find otherwise.
	Plain bool
	// Breaks are the promises that are not kept, see [Breakable].
	Breaks []string
}

// The states of a record.
const (
	Pending   = "pending"
	Approved  = "approved"
	Declined  = "declined"
	Withdrawn = "withdrawn"
)

// What a notification can tell of.
const (
	Decision   = "decision"
	Acceptance = "acceptance"
)

// The promises that can be broken.
const (
	BreakIdempotency  = "idempotency"  // every submission creates
	BreakAtomicity    = "atomicity"    // the deduplication record is saved after the creation, apart from it
	BreakConcurrency  = "concurrency"  // requests that overlap do not see each other
	BreakConflict     = "conflict"     // other content under the same identifier is executed
	BreakRetention    = "retention"    // identifiers are forgotten after a quarter of the time
	BreakVoid         = "void"         // a fence is confirmed, and a later request goes through all the same
	BreakRefusal      = "refusal"      // a refusal says that there was no effect, and there was
	BreakNotification = "notification" // each decision is notified twice
)

// Breakable are the names that Settings.Breaks takes.
func Breakable() []string {
	return []string{
		BreakIdempotency, BreakAtomicity, BreakConcurrency, BreakConflict, BreakRetention, BreakVoid, BreakRefusal, BreakNotification,
	}
}

// Promises are the guarantees of a service that promises everything, with
// identifiers kept for the given time, for ever when it is 0.
func Promises(retention time.Duration) contract.Guarantees {
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

func (s Settings) check() error {
	if s.Outcome != "" && s.Outcome != Approved && s.Outcome != Declined {
		return fmt.Errorf("outcome %q: want %s, %s or none", s.Outcome, Approved, Declined)
	}
	if s.Announces != "" && s.Announces != Decision && s.Announces != Acceptance {
		return fmt.Errorf("announces %q: want %s or %s", s.Announces, Decision, Acceptance)
	}
	if s.Announces == Acceptance && s.NotificationAfter > 0 {
		return errors.New("what announces the acceptance is sent with it: take out the time after the decision")
	}
	for _, b := range s.Breaks {
		if !slices.Contains(Breakable(), b) {
			return fmt.Errorf("breaks %q: no such promise; take one of %s", b, strings.Join(Breakable(), ", "))
		}
	}
	return nil
}

func (s Settings) breaks(promise string) bool { return slices.Contains(s.Breaks, promise) }
