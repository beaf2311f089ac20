package approval

import (
	"slices"
	"time"
)

// Ledger is all that the service holds, for the evidence that is kept of a run.
type Ledger struct {
	Records []LedgerRecord `json:"records"`
	Keys    []LedgerKey    `json:"keys"`
}

// LedgerRecord is a record and where it comes from.
type LedgerRecord struct {
	Record
	Foreign       bool   `json:"foreign,omitempty"` // made by another client
	Task          string `json:"task,omitempty"`
	Call          string `json:"call,omitempty"` // the request that made it
	Supersedes    string `json:"supersedes,omitempty"`
	Notifications int    `json:"notifications"` // how many were sent
}

// LedgerKey is a deduplication record or a fence.
type LedgerKey struct {
	Key        string `json:"key"`
	Action     string `json:"action,omitempty"`
	Tenant     string `json:"tenant,omitempty"`
	Object     string `json:"object,omitempty"`
	State      string `json:"state"` // created, refused, void or expired
	Ref        string `json:"ref,omitempty"`
	ReceivedMS int64  `json:"received_ms"` // since the start of the run
}

func sortedFences(fences map[string]time.Duration) []string {
	keys := make([]string, 0, len(fences))
	for key := range fences {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		if d := fences[a] - fences[b]; d != 0 {
			return int(d)
		}
		return slices.Compare([]byte(a), []byte(b))
	})
	return keys
}
