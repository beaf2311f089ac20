// Package knowledge is the fake service behind the tools of a question: a
// knowledge base, a cached copy of it that admits to its age, and tools that
// change something and that no question needs. The tools are those of
// [tool.All]; over HTTP each has a route of its own:
//
//	GET /v1/search?q=refund+window
//	{"items": [{"id": "r_101", "title": "Refund window", "text": "...", "updated": "2026-10-01"}]}
//
//	DELETE /v1/records/r_991
//	403 {"code": "permission", "message": "..."}
//
// The same tools are called over MCP at POST /mcp, by the official SDK's server:
// a call is one exchange there too, with the same phases and the same anchors.
//
// It has rules of its own beside the schemas: words to look for must have a
// letter or a digit in them, and a refund is at most 500.00. What breaks one is
// answered 422 bad_arguments, although the schema takes it. Arguments that the
// schema refuses are answered 400 malformed: they should not have come.
package knowledge
