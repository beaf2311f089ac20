// Package dialect reads what the messages of each service say: which operation
// a request is, and which business facts a request or a reply states. The gate
// and the services use the same reading, so a call has one name everywhere.
//
// A submission of an agent
//
//	POST /v1/approvals
//	Idempotency-Key: k-1
//
//	{"confirmation": {"id": "c-1", "version": 1}, "tenant": "acme", "object": "po-17", "content": {...}, "digest": "d"}
//
// is the operation "submit" of the service "approval" and states
//
//	history.Facts{Key: "k-1", Confirmation: "c-1", Version: 1, Tenant: "acme", Object: "po-17", Digest: "d", Content: "sha256:..."}
//
// Field names are matched exactly, the last of two equal names counts, and what
// a message does not state stays zero. A message that is no JSON object, or has
// a field of another type than its place wants, is marked as malformed and
// keeps what else could be read. Nothing here decides what a fact is worth.
//
// A service is one file with one [language], named in the list in http.go.
package dialect
