package model

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/fakes/service"
)

// completion is an answer, whole.
type completion struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Created int64    `json:"created"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   usage    `json:"usage"`

	stream, count bool // written in events; with the usage at the end
}

type choice struct {
	Index   int     `json:"index"`
	Message message `json:"message"`
	Finish  string  `json:"finish_reason"`
}

// usage counts words where a real model counts tokens.
type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

// completion is the answer to a request. Its id is that of every request with
// the same body.
func (s *Service) completion(q request, body []byte, m message) completion {
	finish := "stop"
	if len(m.ToolCalls) > 0 {
		finish = "tool_calls"
	}
	var u usage
	for _, in := range q.Messages {
		u.Prompt += in.words()
	}
	u.Completion = m.words()
	u.Total = u.Prompt + u.Completion
	return completion{
		ID: fmt.Sprintf("chatcmpl-%x", sha256.Sum256(body))[:29], Object: "chat.completion", Created: s.frame.Wall(s.frame.Now()).Unix(),
		Model: q.Model, Choices: []choice{{Message: m, Finish: finish}}, Usage: u, stream: q.Stream, count: q.Options.Usage,
	}
}

func (m message) words() int {
	n := len(strings.Fields(m.text()))
	for _, c := range m.ToolCalls {
		n += 1 + len(strings.Fields(c.Function.Arguments))
	}
	return n
}

// Emptied is an answer with neither a word nor a call.
func (c completion) Emptied() any {
	c.Choices = []choice{{Message: message{Role: "assistant", Content: json.RawMessage(`""`)}, Finish: "stop"}}
	c.Usage.Completion, c.Usage.Total = 0, c.Usage.Prompt
	return c
}

// chunk is one event of an answer.
type chunk struct {
	ID      string        `json:"id"`
	Object  string        `json:"object"`
	Created int64         `json:"created"`
	Model   string        `json:"model"`
	Choices []chunkChoice `json:"choices"`
	Usage   *usage        `json:"usage,omitempty"`
}

type chunkChoice struct {
	Index  int     `json:"index"`
	Delta  delta   `json:"delta"`
	Finish *string `json:"finish_reason"`
}

type delta struct {
	Role      string      `json:"role,omitempty"`
	Content   *string     `json:"content,omitempty"`
	ToolCalls []deltaCall `json:"tool_calls,omitempty"`
}

type deltaCall struct {
	Index    int           `json:"index"`
	ID       string        `json:"id,omitempty"`
	Type     string        `json:"type,omitempty"`
	Function deltaFunction `json:"function"`
}

type deltaFunction struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

// piece is how many characters of arguments one event has.
const piece = 12

// Events are the answer word by word and piece by piece; nil when it is asked
// for whole.
func (c completion) Events() service.Events {
	if !c.stream {
		return nil
	}
	var events service.Events
	emit := func(choices []chunkChoice, u *usage) {
		text, _ := json.Marshal(chunk{c.ID, "chat.completion.chunk", c.Created, c.Model, choices, u}) // texts and numbers
		events = append(events, "data: "+string(text)+"\n\n")
	}
	say := func(d delta) { emit([]chunkChoice{{Delta: d}}, nil) }
	m, nothing := c.Choices[0].Message, ""
	say(delta{Role: m.Role, Content: &nothing})
	for _, word := range strings.SplitAfter(m.text(), " ") {
		if word != "" {
			say(delta{Content: &word})
		}
	}
	for i, call := range m.ToolCalls {
		say(delta{ToolCalls: []deltaCall{{i, call.ID, call.Type, deltaFunction{Name: call.Function.Name}}}})
		for part := range slices.Chunk([]rune(call.Function.Arguments), piece) {
			say(delta{ToolCalls: []deltaCall{{Index: i, Function: deltaFunction{Arguments: string(part)}}}})
		}
	}
	emit([]chunkChoice{{Finish: &c.Choices[0].Finish}}, nil)
	if c.count {
		emit([]chunkChoice{}, &c.Usage)
	}
	return append(events, "data: [DONE]\n\n")
}
