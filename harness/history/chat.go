package history

// Tool is a call of a tool, as its service was asked. See harness/doc/004.
type Tool struct {
	_ struct{}

	Name      string `json:"name"`
	Arguments string `json:"arguments,omitempty"` // digest of the canonical arguments: equal arguments are equal strings
	Misfit    string `json:"misfit,omitempty"`    // how they fail the tool's own schema; "" when they fit
}

// Chat is what one request to the model, or its reply, says.
type Chat struct {
	_ struct{}

	Model    string    `json:"model,omitempty"`    // that was asked for
	Stream   bool      `json:"stream,omitempty"`   // the reply comes in events
	Messages []Message `json:"messages,omitempty"` // of a request: the last ones; of a reply: the one that it is
	Count    int       `json:"count,omitempty"`    // of a request: all messages
	Finish   string    `json:"finish,omitempty"`   // of a reply: stop, tool_calls, length; "" when it was cut short
}

// Message is one turn of a conversation.
type Message struct {
	_ struct{}

	Role   string     `json:"role"`
	Digest string     `json:"digest"`            // of everything it says, canonical: equal messages are equal strings
	Empty  bool       `json:"empty,omitempty"`   // it has no content but white space
	Calls  []ToolCall `json:"calls,omitempty"`   // of an assistant: what it asks for
	CallID string     `json:"call_id,omitempty"` // of a tool's: the call that it answers
	Failed *Failure   `json:"failed,omitempty"`  // of a tool's: the error payload, if it is one
	Text   string     `json:"text,omitempty"`    // its content, clipped
}

// ToolCall is one call that a model asks for.
type ToolCall struct {
	_ struct{}

	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments,omitempty"` // digest, as in [Tool]; of a text that is no JSON: of the text
	Misfit    string `json:"misfit,omitempty"`    // how they fail the tool's schema; "" when they fit
}

// Failure is the payload of a tool message that has a field "error".
type Failure struct {
	_ struct{}

	Error     string `json:"error,omitempty"`     // "" when it is there and says nothing
	Message   bool   `json:"message,omitempty"`   // a message is there, and not empty
	Retryable *bool  `json:"retryable,omitempty"` // nil: absent, or no truth value
	Attempts  *int   `json:"attempts,omitempty"`  // nil: absent, or no number
}
