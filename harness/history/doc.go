// Package history is the external record of one run of one scenario: what the
// wire carried, what the services' ledgers hold, what the control plane handed
// out and was told, what happened to the agent's processes, and which faults
// fired. The agent under test can neither read nor write it.
//
// A history is a totally ordered list of [Record]s. Everything that makes one
// is concurrent; everything that reads one is a pure function of it. The order
// respects causality seen from the agent: what the harness says to the agent
// (a reply, an inbox item) is recorded before its last byte is written, and
// what the agent says (a request, a claim) is recorded before anything acts on
// it. So a record that could have been caused by another stands after it.
//
// On disk a history is JSON Lines, one record a line, written with one write
// per record, so that a process that is killed leaves every complete line:
//
//	{"n":7,"at":18250417,"kind":"call.sent","task":"t-1","work":"w-1","call":"c-1",
//	 "wire":{"service":"approval","operation":"submit","ordinal":1,...}}
//
// Times are nanoseconds on one monotonic clock that starts with the run; wall
// time appears once, in the first record. Secrets (authorization headers,
// tokens) are redacted before a record is made.
//
// The package imports only the standard library and knows nothing of services,
// rules or verdicts.
package history
