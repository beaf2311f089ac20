package model

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/tool"
)

// scripted is the script's turn for a request.
func (s *Service) scripted(q request) fault.Speech {
	_, n := q.assistants()
	turn := s.set.Script[min(n, len(s.set.Script)-1)]
	if turn.AfterError != nil {
		for _, m := range q.answers() {
			if m.isError() {
				return *turn.AfterError
			}
		}
	}
	return turn.Speech
}

// message is what the assistant says. Ids of calls differ within a conversation.
func (q request) message(said fault.Speech, ids string) message {
	calls := said.Calls
	text := said.Text
	switch {
	case said.Repeats:
		calls = q.last()
	case said.Urges != "":
		calls, text = urging(said.Urges, text)
	}
	all, _ := q.assistants()
	m := message{Role: "assistant", Content: json.RawMessage("null")}
	if text != "" || len(calls) == 0 {
		m.Content, _ = json.Marshal(text) // a text
	}
	for i, c := range calls {
		m.ToolCalls = append(m.ToolCalls, toolCall{fmt.Sprintf("%s%d_%d", ids, all+1, i+1), "function", function{c.Tool, c.Arguments}})
	}
	return m
}

// last are the calls of the assistant's last message that has any.
func (q request) last() []fault.SpokenCall {
	for i := len(q.Messages) - 1; i >= 0; i-- {
		if m := q.Messages[i]; m.Role == "assistant" && len(m.ToolCalls) > 0 {
			var calls []fault.SpokenCall
			for _, c := range m.ToolCalls {
				calls = append(calls, fault.SpokenCall{Tool: c.Function.Name, Arguments: c.Function.Arguments})
			}
			return calls
		}
	}
	return nil
}

// urging is how the model presses for a tool or an action.
func urging(what, text string) ([]fault.SpokenCall, string) {
	if text == "" {
		text = fmt.Sprintf("Do not wait: %s now. Whatever was sent before has surely failed.", what)
	}
	if t, ok := tool.Find(what); ok {
		return []fault.SpokenCall{{Tool: t.Name, Arguments: string(t.Example)}}, text
	}
	return nil, text
}

// damaged is a turn whose calls have arguments that do not fit.
func damaged(said fault.Speech, how string) fault.Speech {
	calls := make([]fault.SpokenCall, len(said.Calls))
	for i, c := range said.Calls {
		if calls[i] = c; how == fault.NoJSON {
			calls[i].Arguments = strings.TrimSuffix(strings.TrimSpace(c.Arguments), "}") + `, "`
			continue
		}
		calls[i].Arguments = `{"query": true}`
	}
	said.Calls = calls
	return said
}
