package model

import (
	"encoding/json"
	"slices"
	"strings"
)

// What the ids of calls begin with: those of the script, and those that a fault
// made the model ask for.
const (
	scriptedCall = "call_"
	extraCall    = "extra_"
)

// request is what the model reads of a request.
type request struct {
	Model    string    `json:"model"`
	Stream   bool      `json:"stream"`
	Messages []message `json:"messages"`
	Options  struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
}

// message is one turn of a conversation.
type message struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"` // a text, a list of parts, or null
	ToolCalls []toolCall      `json:"tool_calls,omitempty"`
	CallID    string          `json:"tool_call_id,omitempty"`
}

// toolCall is one call that an assistant asks for.
type toolCall struct {
	ID       string   `json:"id"`
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// readRequest reads a request; bad says why it is none.
func readRequest(body []byte) (q request, bad string) {
	if err := json.Unmarshal(body, &q); err != nil {
		return q, "the body is not a request of this interface: " + err.Error()
	}
	switch {
	case q.Model == "":
		return q, "you must provide a model parameter"
	case len(q.Messages) == 0:
		return q, "messages is empty"
	}
	return q, unanswered(q.Messages)
}

// unanswered says which call of an assistant has no tool message behind it, as
// OpenAI's interface demands; "" when all have, and every tool message answers a call.
func unanswered(messages []message) string {
	open := map[string]bool{}
	for _, m := range messages {
		if m.Role == "tool" {
			if !open[m.CallID] {
				return "a message of the role tool must follow the message with the tool_calls that it answers: " + m.CallID
			}
			delete(open, m.CallID)
			continue
		}
		if len(open) > 0 {
			return missing(open)
		}
		for _, c := range m.ToolCalls {
			open[c.ID] = true
		}
	}
	if len(open) > 0 {
		return missing(open)
	}
	return ""
}

func missing(open map[string]bool) string {
	var ids []string
	for id := range open {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return "an assistant message with tool_calls must be followed by a tool message for each; there is none for " + strings.Join(ids, ", ")
}

// answers are the tool messages about the last turn of the script.
func (q request) answers() []message {
	var found []message
	for i := len(q.Messages) - 1; i >= 0; i-- {
		switch m := q.Messages[i]; {
		case m.Role == "tool":
			found = append(found, m)
		case m.Role == "assistant" && !m.extra():
			return found
		case m.Role == "assistant":
			found = nil // they were about what a fault said
		}
	}
	return nil
}

// assistants counts the assistant's messages, and those that are of the script.
func (q request) assistants() (all, scripted int) {
	for _, m := range q.Messages {
		if m.Role == "assistant" {
			all++
			if !m.extra() {
				scripted++
			}
		}
	}
	return all, scripted
}

// extra tells whether an assistant's message is no turn of the script.
func (m message) extra() bool {
	return slices.ContainsFunc(m.ToolCalls, func(c toolCall) bool { return strings.HasPrefix(c.ID, extraCall) })
}

// text is the content as a text.
func (m message) text() string {
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return text
	}
	var parts []struct {
		Text string `json:"text"`
	}
	_ = json.Unmarshal(m.Content, &parts)
	for _, p := range parts {
		text += p.Text
	}
	return text
}

// isError tells whether a tool message is an error payload.
func (m message) isError() bool {
	var payload struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal([]byte(m.text()), &payload) != nil {
		return false
	}
	return len(payload.Error) > 0 && string(payload.Error) != "null"
}
