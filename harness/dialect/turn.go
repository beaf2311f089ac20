package dialect

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/tool"
)

// The bounds of a conversation's facts.
const (
	maxMessages = 256 // the last ones of a request
	maxCalls    = 128 // of one message
	maxAsked    = 512 // calls of one request, the last ones
)

// readTurn reads one message of a conversation, as a request to a model or its
// reply writes it.
func readTurn(m *Message) history.Message {
	role, text := m.Text("role"), readContent(m)
	turn := history.Message{Role: clip(role), CallID: clip(m.Text("tool_call_id")), Text: clip(text), Empty: strings.TrimSpace(text) == ""}
	said := []string{role, text, m.Text("tool_call_id")}
	calls := m.Objects("tool_calls")
	for _, c := range calls[:min(len(calls), maxCalls)] {
		name, arguments := c.Text("function.name"), c.Text("function.arguments")
		turn.Calls = append(turn.Calls, asked(c.Text("id"), name, arguments))
		said = append(said, c.Text("id"), name, argumentsDigest(arguments))
	}
	turn.Digest = turnDigest(said)
	if role == "tool" {
		turn.Failed = readFailure(text)
	}
	return turn
}

// boundCalls drops the calls of the oldest messages of a request that asks for more
// than anybody does.
func boundCalls(turns []history.Message) {
	left := maxAsked
	for i := len(turns) - 1; i >= 0; i-- {
		turns[i].Calls = turns[i].Calls[:min(len(turns[i].Calls), left)]
		left -= len(turns[i].Calls)
	}
}

// asked is a call that a model asks for.
func asked(id, name, arguments string) history.ToolCall {
	return history.ToolCall{
		ID: clip(id), Name: clip(name), Arguments: argumentsDigest(arguments), Misfit: tool.Misfit(name, json.RawMessage(arguments)),
	}
}

// argumentsDigest is equal for equal arguments: that of their canonical JSON,
// or of the text when that is no JSON.
func argumentsDigest(arguments string) string {
	if d := ContentDigest(json.RawMessage(arguments)); d != "" {
		return d
	}
	sum := sha256.Sum256([]byte(arguments))
	return "text:" + hex.EncodeToString(sum[:])
}

// turnDigest is equal for messages that say the same, however a library writes
// what is not there: null, "", an empty list.
func turnDigest(said []string) string {
	h := sha256.New()
	for _, text := range said {
		h.Write([]byte(strconv.Itoa(len(text)) + ":" + text))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// readContent is the text of a message: a string, or the texts of its parts.
func readContent(m *Message) string {
	raw := m.Raw("content")
	if len(raw) == 0 || raw[0] != '[' {
		return m.Text("content")
	}
	var texts []string
	for _, part := range m.Objects("content") {
		texts = append(texts, part.Text("text"))
	}
	return strings.Join(texts, "\n")
}

// readFailure reads the payload of a tool message: nil when it is no JSON object
// with something in the field error.
func readFailure(text string) *history.Failure {
	var fields map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &fields) != nil {
		return nil
	}
	raw, is := fields["error"]
	if !is || string(raw) == "null" {
		return nil
	}
	f := &history.Failure{}
	var name string
	if json.Unmarshal(raw, &name) != nil {
		name = string(raw) // of another shape; it says something
	}
	f.Error = clip(strings.TrimSpace(name))
	var said string
	f.Message = json.Unmarshal(fields["message"], &said) == nil && strings.TrimSpace(said) != ""
	f.Retryable = truth(fields["retryable"])
	f.Attempts = whole(fields["attempts"])
	return f
}

func truth(raw json.RawMessage) *bool {
	switch string(raw) {
	case "true", "false":
		is := string(raw) == "true"
		return &is
	}
	return nil
}

// whole is a number without a fraction, however it is written: 3 and 3.0.
func whole(raw json.RawMessage) *int {
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f != float64(int(f)) {
		return nil
	}
	n := int(f)
	return &n
}
