// Package approval is a fake approval service with real rules: it deduplicates
// submissions within their scope and retention, refuses conflicting content,
// leads each request through pending, approved, declined or withdrawn, sends one
// notification a decision, serves queries from a replica that may be stale,
// fences identifiers, and keeps a ledger of all of it.
//
//	s, err := approval.Open(approval.Config{
//		Frame:    service.Config{Log: log, Seam: injector, Identify: identify},
//		Settings: approval.Settings{Promises: guarantees, Outcome: approval.Approved, ApproverAfter: limits.VerificationPeriod / 4},
//		Emit:     func(task string, e approval.Event) { plane.Event(task, e) },
//	})
//	defer s.Close(ctx)
//	endpoint := s.Addr()
//
// Deduplication and creation happen in one step under one lock. What a service
// promises it keeps, unless [Settings.Breaks] names the promise.
package approval
