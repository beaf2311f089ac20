package servicetest

import (
	"testing"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// patience is how long a test waits for an event that must come; it is never
// how long something may take.
const patience = 30 * time.Second

// Await returns when a channel is closed or sent on, and fails the test when
// that does not happen.
func Await[T any](t testing.TB, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("waited in vain for %s", what)
		panic("unreachable")
	}
}

// Rows are the rows of a ledger in a log, by their effect, in order.
func Rows(log *history.Log) []string {
	var rows []string
	for _, r := range log.Records() {
		if r.Kind == history.LedgerRow {
			name := r.Ledger.Effect
			if r.Ledger.Foreign {
				name += " (foreign)"
			}
			rows = append(rows, name)
		}
	}
	return rows
}

// Expect returns a channel that is closed when the log takes a record that
// satisfies f. It sees only records appended after the call.
func Expect(t testing.TB, log *history.Log, f func(history.Record) bool) <-chan struct{} {
	t.Helper()
	seen := make(chan struct{})
	closed := false
	stop := log.Watch(func(r history.Record) {
		if !closed && f(r) {
			closed = true
			close(seen)
		}
	})
	t.Cleanup(stop)
	return seen
}
