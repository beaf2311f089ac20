package agent

import (
	"bytes"
	"encoding/json"
	"slices"
)

// The messages of a question: what the task declares, and the conversation with
// a model on OpenAI's wire.

// question is the input of a task of that type.
type question struct {
	Prompt   string              `json:"prompt"`
	Tools    []declaration       `json:"tools"`
	Fallback map[string][]string `json:"fallback"`
	Models   []string            `json:"models"`
}

// The degraded ends of a fallback chain. They are no tools.
const (
	withGap = "answer_with_gap"
	human   = "human"
)

// chain lists the tools that may stand in for one, in order, and how the chain
// ends when none of them can.
func (q question) chain(tool string) (next []string, end string) {
	all := q.Fallback[tool]
	if len(all) == 0 {
		return nil, human
	}
	if last := all[len(all)-1]; last == withGap || last == human {
		return all[:len(all)-1], last
	}
	return all, human
}

// declared returns the declaration of a tool, nil if the task declares none.
func (q question) declared(tool string) *declaration {
	if i := slices.IndexFunc(q.Tools, func(d declaration) bool { return d.Function.Name == tool }); i >= 0 {
		return &q.Tools[i]
	}
	return nil
}

// declaration is a tool as the model is told of it.
type declaration struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
	} `json:"function"`
}

// message is one turn of a conversation.
type message struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content"`
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

func says(role, text string) message { return message{Role: role, Content: &text} }

// text is what the message says in words.
func (m message) text() string {
	if m.Content == nil {
		return ""
	}
	return *m.Content
}

// toolCall is what a model asks for.
type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// name and identity of a call: equal calls have equal identities, whatever the
// spacing and the order of their arguments.
func (c toolCall) name() string { return c.Function.Name }

func (c toolCall) identity() string {
	return c.name() + " " + string(canonical(json.RawMessage(bytes.TrimSpace([]byte(c.Function.Arguments)))))
}

// turn is a request to a model.
type turn struct {
	Model    string        `json:"model"`
	Messages []message     `json:"messages"`
	Tools    []declaration `json:"tools,omitempty"`
	Stream   bool          `json:"stream,omitempty"`
}
