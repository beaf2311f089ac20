// Package judge turns a history into a verdict. It is a pure function of the
// records, the contract table and the scenario's expectations: it starts
// nothing, reads no clock and no file, and judges a stored history exactly as
// it judged the run.
//
// It works in two linear passes. The first indexes calls and connections and
// classifies every reply as delivered, undelivered or ambiguous (a proxy's
// successful write proves nothing). The second replays the records and keeps,
// for each intent and each worker, the set of standings that the evidence
// really received permits. Every action of the agent is then looked up in the
// contract table under every member of the set:
//
//   - a write is a violation only if no member allows it;
//   - a duty is due only if every member demands it.
//
// A question (files question_*.go) has no intents and no ledger: its tools are
// read-only. The second pass keeps instead what each turn of the model asked for,
// what was tried for it, and what the model was told: see harness/doc/004. Where
// the wire does not show what a call was made for, it may have been made for
// everything that it can have been made for.
//
// Time is compared with what this machine can time: the noise about the instants
// that a finding rests on, or the worst of the run where the machine was late
// again and again. A machine that is too busy to time anything accuses nobody of
// anything that rests on time, or on the order of two connections.
//
// Each [Rule] stands in a file of its own and names the party it accuses. A
// consequence that is wrong although the agent did nothing unlawful is the
// service's fault or the scenario's, never the agent's.
package judge
