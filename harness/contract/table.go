package contract

import "slices"

// A Table is the contract: its rows are tried from the top.
type Table struct {
	Version int
	Rows    []Row
	Digest  string // of the text it was read from
}

// A Row says what may and must be done while its conditions hold.
type Row struct {
	ID      string
	Summary string
	When    Condition
	Allow   []Permit
	Must    []string // duties, a phrase each; those that rules check are in [Duties]
	Line    int      // where it stands in the text, from 1
}

// Condition holds when the standing is one of Standing (empty: any), every fact
// of Is holds and none of Not does.
type Condition struct {
	Standing Standings
	Is, Not  Facts
}

// A Permit allows an action while its own condition holds too.
type Permit struct {
	Action Action
	If     Condition
}

// The duties that rules check by name.
const (
	CheckAuthorization = "check-authorization" // ask for the confirmation again before each re-write
	PauseDependents    = "pause-dependents"
	KeepVerifying      = "keep-verifying"
	MustEscalate       = "escalate"
	NoDependents       = "no-dependents"
	Result             = "result"             // end the task
	ResultCancelled    = "result-cancelled"   // end it as cancelled
	KeepResult         = "keep-result"        // what was decided stays so
	KeepFinishedPart   = "keep-finished-part" // bring about what is missing, and nothing else
	VerifyWithdrawal   = "verify-withdrawal"
	NewIdentifier      = "new-identifier"
	RetryByClass       = "retry-by-class" // of a read-only tool
	DeclaredFallback   = "declared-fallback"
	Disclose           = "disclose"
	ClaimRef           = "claim-ref"       // claim the reference of the record that was found
	ClaimTracking      = "claim-tracking"  // claim that the accepted request is tracked
	ClaimPending       = "claim-pending"   // claim that the outcome is being verified
	ClaimPreview       = "claim-preview"   // claim that a preview is ready, and nothing more
	NameUnverified     = "name-unverified" // a result names what is unknown
)

// Duties are all duties that a row may demand.
func Duties() []string {
	return []string{
		CheckAuthorization, PauseDependents, KeepVerifying, MustEscalate,
		ClaimRef, ClaimTracking, ClaimPending, ClaimPreview, Result, ResultCancelled, KeepResult,
		KeepFinishedPart, VerifyWithdrawal, NewIdentifier, NameUnverified, NoDependents, RetryByClass, DeclaredFallback, Disclose,
	}
}

// Holds tells whether the condition holds.
func (c Condition) Holds(s Standing, f Facts) bool {
	return (c.Standing == 0 || c.Standing.Has(s)) && f&c.Is == c.Is && f&c.Not == 0
}

// Match returns the row of an intent, or false if the table has none for it: a
// table that [Parse] accepted has one for every standing.
func (t *Table) Match(s Standing, f Facts) (*Row, bool) {
	for i := range t.Rows {
		if t.Rows[i].When.Holds(s, f) {
			return &t.Rows[i], true
		}
	}
	return nil, false
}

// Row finds a row by its id.
func (t *Table) Row(id string) (*Row, bool) {
	for i := range t.Rows {
		if t.Rows[i].ID == id {
			return &t.Rows[i], true
		}
	}
	return nil, false
}

// Allows tells whether the row lists the action under these circumstances.
func (r *Row) Allows(a Action, s Standing, f Facts) bool {
	for _, p := range r.Allow {
		if p.Action == a && p.If.Holds(s, f) {
			return true
		}
	}
	return false
}

// Demands tells whether the row lists the duty.
func (r *Row) Demands(duty string) bool { return slices.Contains(r.Must, duty) }

// Allowed lists what the row allows under these circumstances, for people.
func (r *Row) Allowed(s Standing, f Facts) []string {
	var names []string
	for _, p := range r.Allow {
		if p.If.Holds(s, f) && !slices.Contains(names, string(p.Action)) {
			names = append(names, string(p.Action))
		}
	}
	return names
}
