// Command eino is an agent made with the eino framework that knows nothing of
// Lost Receipt: it answers one question with a model behind OpenAI's interface
// and the tools of an MCP server, and takes both by their addresses alone.
//
//	lostreceipt run --door openai 'readonly/*' -- ./eino
//
// What it does about failures is its own: a transport that sends a call again
// within limits (retry.go), and tools that answer every outcome as data
// (tools.go). Its limits are flags, as they would be those of any deployment:
// --timeout, --attempts, --backoff. With --naive it does neither, as an agent
// that was put together in an afternoon, and the harness says what that comes to.
//
// It carries out whatever the model asks for, has one model, and no breaker. Over
// the whole of readonly/ that is found, too: fallback-improvised,
// breaker-not-opened, and agent-crashed where the model does not answer.
package main
