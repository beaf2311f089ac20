// Package stack is everything that the agent under test can call during one
// run of one scenario: the fake services, each behind the wire, so that every
// call is known to be of one work item and can be broken at any phase.
//
//	s, err := stack.Open(ctx, stack.Config{Log: log, Seam: injector, Scenario: compiled, Emit: emit})
//	defer s.Close(ctx)
//	endpoints, err := s.Door(ctx, "t-1", "w-1") // {"approval": "http://127.0.0.1:41234", ...}
//
// It is made for one run and thrown away: set-up and tear-down together take
// less than 2 ms. Everything listens on the loopback, on ports of the system's
// choice, and the services answer the wire only.
//
// The stack decides nothing. Points of calls come from two sides, the gates and
// the services; a service knows itself, its peer's address and the number of the
// request on that connection, and [wire.Gateway.Identify] makes a call of it.
// Both sides ask the same seam.
package stack
