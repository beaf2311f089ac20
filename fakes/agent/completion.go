package agent

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

var (
	errCut   = errors.New("the answer was cut short")
	errEmpty = errors.New("the answer is empty")
)

// answered reads a model's answer, whole or in events. An answer that says
// nothing, or that ends before its end, is none.
func answered(r reply) (message, error) {
	m, err := plain(r.body)
	if bytes.HasPrefix(bytes.TrimSpace(r.body), []byte("data:")) {
		m, err = streamed(r.body)
	}
	switch {
	case err != nil:
		return message{}, err
	case len(m.ToolCalls) == 0 && strings.TrimSpace(m.text()) == "":
		return message{}, errEmpty
	}
	m.Role, m.ToolCallID = "assistant", ""
	return m, nil
}

func plain(body []byte) (message, error) {
	var whole struct {
		Choices []struct {
			Message message `json:"message"`
		} `json:"choices"`
	}
	if json.Unmarshal(body, &whole) != nil {
		return message{}, errNoJSON
	}
	if len(whole.Choices) == 0 {
		return message{}, errEmpty
	}
	return whole.Choices[0].Message, nil
}

// piece is one event of a streamed answer.
type piece struct {
	Choices []struct {
		Delta struct {
			Content   *string `json:"content"`
			ToolCalls []struct {
				Index int `json:"index"`
				toolCall
			} `json:"tool_calls"`
		} `json:"delta"`
		FinishReason *string `json:"finish_reason"`
	} `json:"choices"`
}

// streamed puts the events of an answer together. Only a finish reason ends it.
func streamed(body []byte) (message, error) {
	var m message
	var text strings.Builder
	said, ended := false, false
	lines := bufio.NewScanner(bytes.NewReader(body))
	lines.Buffer(nil, maxMessage)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data:"))
		if !ok || bytes.Equal(bytes.TrimSpace(data), []byte("[DONE]")) {
			continue
		}
		var p piece
		if json.Unmarshal(data, &p) != nil {
			return message{}, errNoJSON
		}
		for _, c := range p.Choices {
			if c.Delta.Content != nil {
				said = true
				text.WriteString(*c.Delta.Content)
			}
			for _, part := range c.Delta.ToolCalls {
				if part.Index < 0 || part.Index > len(m.ToolCalls) {
					return message{}, errCut
				}
				if part.Index == len(m.ToolCalls) {
					m.ToolCalls = append(m.ToolCalls, toolCall{Type: "function"})
				}
				part.onto(&m.ToolCalls[part.Index])
			}
			ended = ended || c.FinishReason != nil && *c.FinishReason != ""
		}
	}
	if lines.Err() != nil || !ended {
		return message{}, errCut
	}
	if said {
		whole := text.String()
		m.Content = &whole
	}
	return m, nil
}

// onto adds what a piece of a call says to what was said before.
func (c toolCall) onto(whole *toolCall) {
	if c.ID != "" {
		whole.ID = c.ID
	}
	whole.Function.Name += c.Function.Name
	whole.Function.Arguments += c.Function.Arguments
}
