// Package fault says where a fault stands, what it does, and whether it fired.
//
// A call passes six [Phase]s. At each one the gate or a service calls
// [Seam.At] with a [Point] and obeys the [Order] that comes back; it owns no
// decision. The [Injector] behind the seam matches points against the compiled
// [Plan], moves the [Hands] (the agent's process, the control plane), and
// writes the receipt of every fault into the history, so that "the fault
// fired" is a recorded fact and never an assumption.
//
// A fault of a scenario
//
//	at: approval.submit#1 replied
//	do: reset
//
// compiles to an [Anchor] and an [Effect]. Faults are anchored to phases of
// calls, never to the clock; durations are multiples of the run's limits.
package fault
