// Package contract holds what may be done about an unfinished action, as data:
// the [Standing]s that evidence can lead to, the [Action]s that are recognised,
// the [Table] of rows that says which actions a standing allows, the [Limits]
// that everybody plays by, and the [Promise]s that a service declares.
//
// A row is tried from the top of the table; the first whose conditions hold is
// the row of that intent. Reads, claims and waiting are allowed in every row
// unless it says otherwise. A write or an escalation that the row does not list
// is a violation. For example, with a send whose outcome is unknown, a live
// deduplication record and attempts left:
//
//	row, _ := table.Match(contract.InDoubt, contract.Facts{Protected: true, AttemptsLeft: true, InPeriod: true})
//	row.ID                           // "unknown-replay-protected"
//	row.Allows(contract.Replay, ...) // true
//	row.Allows(contract.Resubmit, ...) // false
//
// The table itself is scenarios/contract.yaml; a team can bring its own.
package contract
