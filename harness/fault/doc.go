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
// compiles to an [Anchor] and an [Effect]:
//
//	plan, problems := fault.Compile(subject, faults)
//	in := fault.NewInjector(fault.Config{Plan: plan, Log: log, Hands: hands})
//	order := in.At(ctx, point) // never blocks; order.Wait does
//	missed := in.Close()       // releases everything that is held
//
// # Where
//
// Faults are anchored to phases of calls, or to [Step.Event]s that are no call,
// never to the clock; durations are [Span]s, multiples of the run's limits. An
// ordinal counts the requests of an operation and task. Copies that a fault
// made are at no anchor. Each fault fires once, or once at each of its ordinals.
//
// # What
//
// [Effects] is the catalogue, an effect a file. The effects of a list are
// carried out in order: moves of the hands and holds first, each in force or
// over before the next begins, then what changes the service's work, and last
// the one that decides what becomes of the message. [Compile] refuses another
// order, because nothing can follow a message that is gone. Without such a last
// effect the message goes on, also after a kill.
//
// Wire effects stand at sent and replied, where the gate has a message. At
// received, validated and committed the message is inside the service and there
// is nothing to reset or to hang; what a service does with a request, or to its
// own reply, stands there, and holds do. The service's part of an [Order] is its
// [Conduct]. An event that a service puts out passes one point, at which it can
// be held, or given a [Fate].
//
// # How long
//
// A hold or a window ends at the first of its anchors, after its span, or at
// [CapTimes] of the verification period. That runs from the first send of the
// write that is held; for anything else from the last first send of its task,
// or, once that time is over and nothing is in doubt, from the hold itself. The
// same holds for a consequence that comes after its reply, and for an event
// that nothing overtakes.
//
// # Receipts
//
// fault.planned at the start; fault.armed when only the last step of the anchor
// is awaited, at once where it has one step, else with the call or the task at
// which the step before it was passed; fault.fired when the point was met (a delayed
// fault: when the delay is over), with its call; fault.struck when the gate did
// its part to the message, after which byte of it; fault.lifted when a hold, a
// window or a pause ended, and what ended it; fault.failed when an effect could
// not be carried out, which is a harness error; fault.missed at the end for a
// fault that never fired, and why, and for each call that a range passed over.
package fault
