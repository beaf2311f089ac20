package judge

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// The answers of [Deliveries].
const (
	Delivered   = "delivered"
	Undelivered = "undelivered"
	Ambiguous   = "ambiguous"
)

// Deliveries tells, by call, whether its client took the whole reply, as far as
// the wire alone shows it: this is what the judge starts from. A later claim or
// write that carries what only the reply could tell makes an ambiguous one
// delivered. A call without a reply is undelivered.
func Deliveries(records []history.Record) map[string]string {
	var patience time.Duration // without a setup nobody knows what an attempt is given
	if setup, err := ReadSetup(records); err == nil {
		patience = setup.Limits.AttemptTimeout
	}
	ix := indexRecords(records, patience)
	all := make(map[string]string, len(ix.calls))
	for id, c := range ix.calls {
		all[id] = ix.classify(c).String()
	}
	return all
}

func (d delivery) String() string {
	return [...]string{undelivered: Undelivered, ambiguous: Ambiguous, delivered: Delivered}[d]
}
