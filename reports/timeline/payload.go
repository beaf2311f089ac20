package timeline

import "github.com/lostreceipt/lostreceipt/harness/history"

// A history that somebody changed may lack the payload that a kind names: what
// is not there reads as empty.

func wireOf(r history.Record) history.Wire       { return or(r.Wire) }
func factsOf(r history.Record) history.Facts     { return or(r.Facts) }
func ledgerOf(r history.Record) history.Ledger   { return or(r.Ledger) }
func givenOf(r history.Record) history.Given     { return or(r.Given) }
func controlOf(r history.Record) history.Control { return or(r.Control) }
func processOf(r history.Record) history.Process { return or(r.Process) }
func faultOf(r history.Record) history.Fault     { return or(r.Fault) }
func runOf(r history.Record) history.Run         { return or(r.Run) }

func or[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
