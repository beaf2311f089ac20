// Package service is the frame that all fake services share: an HTTP server on
// the loopback that takes calls through the gate only, leads each of them
// through the phases received, validated and committed, obeys the faults that
// stand there, and writes what happened into the history.
//
// A service gives the frame its operations. A read answers at once. A write is
// checked first and carried out second, so that a fault can stand between:
//
//	service.Open(cfg, service.Spec{
//		Name:  "purchase",
//		Reads: map[string]service.Read{"query": s.query},
//		Writes: map[string]service.Write{"buy": func(c *service.Call) (*service.Plan, service.Reply) {
//			if c.Facts.Approval == "" {
//				return nil, c.Malformed(...) // refused: nothing was taken on
//			}
//			return &service.Plan{Commit: func() service.Outcome { ... }}, service.Reply{}
//		}},
//	})
//
// The order of a write is: received, check, validated, Commit, committed,
// Finish, reply. Rows of the ledger are appended by Commit, so they stand in the
// history before the first byte of the reply, unless a fault asks for a reply
// that comes before the consequence. A request is carried out although its
// client has gone.
//
// Time is read from a [Clock] only; the real one is the history's own, a
// [ManualClock] serves tests.
package service
