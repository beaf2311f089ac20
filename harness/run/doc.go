// Package run takes scenarios from their set-up to a saved history and a
// verdict, many at once.
//
//	results := run.All(ctx, jobs, run.Shared{Contract: table, Scale: contract.DefaultScale})
//
// A [Job] is one repetition of one scenario with one agent. Its steps are
// always these: the directory; the history, which streams to history.jsonl
// from its first record on; the services behind the wire, the control plane
// and the faults; the agent's processes; the watch; the end of the agent, then
// of everything else; the evidence; and last the verdict, a pure function of
// what was recorded. Evidence is on disk before it is judged, also when a
// rule, a fake or this package panics.
//
// # When a run ends
//
// A run ends by events. Once every task has a result it watches on for
// [contract.Limits.Settling], counted from the last thing that happened, so
// that an agent that acts after its end is seen; it ends at once when nothing
// can happen any more: no process of the agent lives or will be started, no
// fault holds anything, and no service has anything under way. The reasons, as
// run.ended records them:
//
//	settled        every task has a result, and nothing happens any more
//	agent ended    a task has none, and no process is left that could bring it
//	deadline       neither, within the time in which a correct agent is done
//	flooded        the agent made so many requests that the run was broken off
//	interrupted    the caller's context ended
//	harness: WHY   the harness could not go on; the verdict is harness-error
//
// The deadline is made of the limits: each thing that begins (work is given, a
// request under a new identifier is sent, a ledger changes, a fault acts) gives
// an agent time for one verification and what follows it; four times that
// bounds the whole.
//
// # Processes that go on
//
// [Command] starts a process for each task. The processes of [Workers] and the
// one behind a [Service] go on from run to run, and three things keep the runs
// apart. The ids of tasks, work items and confirmations carry the mark of their
// run, so that no memory of an agent takes one for another; the histories have
// the scenario's ids of tasks and work. A request to the control plane reaches
// the plane whose mark it carries, or nobody. A call to a service reaches the
// run whose endpoint it is, as long as that run is watched; then it is refused,
// for no other run uses a port that a process may still know.
//
// In a history a worker is a process of the run for as long as it works for it:
// from process.started, when it was given the task, until it asks for work
// again, which is no record, or ends. A worker stays until the end of a run in
// which something may yet be done to its process.
//
// # Many at once
//
// A scenario spends its time waiting, so [All] runs many in one process, the
// longest first. Each has its own stack, control plane, clock and state
// directory; they share nothing but the machine, whose scheduling delay is
// measured all the while and recorded with each.
package run
