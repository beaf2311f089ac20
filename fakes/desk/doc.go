// Package desk is the fake desk of the people who take over: it takes an
// escalation as it comes, one for an identifier, and amends it when the same
// identifier comes with something new. Whether an escalation is complete and
// true is the judge's question.
//
//	s, err := desk.Open(desk.Config{Frame: frame})
//	defer s.Close(ctx)
package desk
