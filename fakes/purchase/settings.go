package purchase

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// Config is what a purchase service is opened with.
type Config struct {
	Frame    service.Config
	Settings Settings
}

// Settings say how one purchase service behaves. The zero value promises
// everything.
type Settings struct {
	// Promises are the guarantees; the entry purchase.buy is used. Nil: [Promises].
	Promises contract.Guarantees
	// Breaks are the promises that are not kept, see [Breakable].
	Breaks []string
}

// The promises that can be broken.
const (
	BreakIdempotency = "idempotency" // every request is a purchase
	BreakAtomicity   = "atomicity"   // the deduplication record is saved after the purchase, apart from it
	BreakConcurrency = "concurrency" // requests that overlap do not see each other
	BreakConflict    = "conflict"    // another purchase under the same identifier is made
	BreakRetention   = "retention"   // identifiers are forgotten after a quarter of the time
	BreakRefusal     = "refusal"     // a refusal says that there was no effect, and there was
)

// Breakable are the names that Settings.Breaks takes.
func Breakable() []string {
	return []string{BreakIdempotency, BreakAtomicity, BreakConcurrency, BreakConflict, BreakRetention, BreakRefusal}
}

// Promises are the guarantees of a service that promises everything, with
// identifiers kept for the given time, for ever when it is 0.
func Promises(retention time.Duration) contract.Guarantees {
	return contract.Guarantees{"purchase.buy": {
		Idempotency: contract.Idempotency{
			Supported: true, Scope: []string{"action"}, Conflict: "reject",
			RetentionMS: float64(retention) / float64(time.Millisecond),
		},
		Query:            contract.Query{ByKey: true},
		NoEffectStatuses: []int{403, 409, 422, 429},
	}}
}

func (s Settings) check() error {
	for _, b := range s.Breaks {
		if !slices.Contains(Breakable(), b) {
			return fmt.Errorf("breaks %q: no such promise; take one of %s", b, strings.Join(Breakable(), ", "))
		}
	}
	return nil
}

func (s Settings) breaks(promise string) bool { return slices.Contains(s.Breaks, promise) }
