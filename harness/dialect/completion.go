package dialect

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// readCompletion reads what a model answers, whole or in events. An answer of
// which nothing can be read is malformed, and so are events without their end
// ([DONE]): what has come of them is kept.
func readCompletion(body []byte) (chat *history.Chat, malformed bool) {
	chat = &history.Chat{}
	text := bytes.TrimLeft(body, " \t\r\n")
	if len(text) == 0 || text[0] != '{' {
		return readEvents(body)
	}
	m := ReadMessage(body)
	chat.Model = m.Text("model")
	for _, choice := range m.Objects("choices") {
		choice.Require("message")
		chat.Messages = append(chat.Messages, readTurn(choice.object("message")))
		chat.Finish = clip(choice.Text("finish_reason"))
		break
	}
	return chat, m.Err() != nil || len(chat.Messages) == 0
}

// delta is one event of a streamed answer.
type delta struct {
	Model   string `json:"model"`
	Choices []struct {
		Delta struct {
			Role      string `json:"role"`
			Content   string `json:"content"`
			ToolCalls []struct {
				Index    int    `json:"index"`
				ID       string `json:"id"`
				Function struct {
					Name      string `json:"name"`
					Arguments string `json:"arguments"`
				} `json:"function"`
			} `json:"tool_calls"`
		} `json:"delta"`
		Finish string `json:"finish_reason"`
	} `json:"choices"`
}

// spoken is a message while its events are put together.
type spoken struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	Calls   []part `json:"tool_calls,omitempty"`
}

type part struct {
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

func readEvents(body []byte) (chat *history.Chat, malformed bool) {
	chat = &history.Chat{Stream: true}
	turn := spoken{Role: "assistant"}
	events, done := 0, false
	for line := range strings.Lines(string(body)) {
		data, is := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "data:")
		if data = strings.TrimSpace(data); data == "[DONE]" {
			done = true
			continue
		}
		if !is {
			continue
		}
		var d delta
		if json.Unmarshal([]byte(data), &d) != nil {
			malformed = true
			continue
		}
		events++
		chat.Model = d.Model
		for _, choice := range d.Choices {
			if choice.Finish != "" {
				chat.Finish = clip(choice.Finish)
			}
			turn.Content += choice.Delta.Content
			for _, c := range choice.Delta.ToolCalls {
				if c.Index < 0 || c.Index >= maxCalls {
					malformed = true
					continue
				}
				for len(turn.Calls) <= c.Index {
					turn.Calls = append(turn.Calls, part{})
				}
				at := &turn.Calls[c.Index]
				at.ID += c.ID
				at.Function.Name += c.Function.Name
				at.Function.Arguments += c.Function.Arguments
			}
		}
	}
	if events == 0 {
		return chat, true
	}
	text, _ := json.Marshal(turn) // texts
	chat.Messages = []history.Message{readTurn(ReadMessage(text))}
	return chat, malformed || !done
}
