package timeline

import (
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// A stretch is one record that is shown, or several that are not.
type stretch struct {
	record history.Record
	folded int // how many, from record.N
}

// fold keeps at most limit records, those that matter first, and counts the others.
func fold(records []history.Record, cited map[int][]int, limit int) []stretch {
	keep := make([]bool, len(records))
	left := min(limit, len(records))
	take := func(i int) {
		if left > 0 && !keep[i] {
			keep[i] = true
			left--
		}
	}
	for _, matters := range []func(history.Record) bool{
		func(r history.Record) bool { return len(cited[r.N]) > 0 }, decides, acts,
	} {
		for i, r := range records {
			if matters(r) {
				take(i)
			}
		}
	}
	for i := 0; left > 0; i++ { // the beginning and the end, by turns
		take(i)
		take(len(records) - 1 - i)
	}
	var list []stretch
	for i, r := range records {
		switch n := len(list); {
		case keep[i]:
			list = append(list, stretch{record: r})
		case n > 0 && list[n-1].folded > 0:
			list[n-1].folded++
		default:
			list = append(list, stretch{record: r, folded: 1})
		}
	}
	return list
}

// decides tells whether a record says what became of something.
func decides(r history.Record) bool {
	switch r.Kind {
	case history.FaultPlanned, history.FaultArmed, history.FaultFired, history.FaultStruck, history.FaultLifted, history.FaultMissed, history.FaultFailed,
		history.RunStarted, history.RunNoise, history.RunEnded, history.ControlResult,
		history.ProcessStarted, history.ProcessKilled, history.ProcessExited, history.WorkGiven:
		return true
	}
	return false
}

// acts tells whether a record is an act or its consequence.
func acts(r history.Record) bool {
	return slices.Contains([]history.Kind{history.LedgerRow, history.ControlPlaced, history.CallSent, history.CallReplied, history.ControlClaim}, r.Kind)
}
