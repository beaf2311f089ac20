package agent

import (
	"strings"
	"testing"

	. "github.com/onsi/gomega"
)

func TestAnAnswerInEventsIsPutTogether(t *testing.T) {
	g := NewWithT(t)
	events := []string{
		`data: {"choices": [{"delta": {"role": "assistant", "content": "One "}}]}`, "",
		`data: {"choices": [{"delta": {"content": "moment"}}]}`, "",
		`data: {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "search_kb", "arguments": ""}}]}}]}`, "",
		`data: {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": "{\"q\":"}}]}}]}`, "",
		`data: {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": " \"x\"}"}}]}}]}`, "",
		`data: {"choices": [{"delta": {"tool_calls": [{"index": 1, "id": "b", "function": {"name": "kb_cache", "arguments": "{}"}}]}}]}`, "",
		`data: {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}`, "", `data: [DONE]`, "", "",
	}
	m, err := answered(reply{body: []byte(strings.Join(events, "\n"))})
	g.Expect(err).NotTo(HaveOccurred())
	first, second := calling("a", "search_kb", `{"q": "x"}`), calling("b", "kb_cache", "{}")
	want := says("assistant", "One moment")
	want.ToolCalls = append(first.ToolCalls, second.ToolCalls...)
	g.Expect(m).To(Equal(want))

	for cut := range events[:12] {
		_, err := answered(reply{body: []byte(strings.Join(events[:cut], "\n"))})
		g.Expect(err).To(HaveOccurred(), "the first %d lines are no answer", cut)
	}
	_, err = answered(reply{body: []byte(events[0][:30])})
	g.Expect(err).To(MatchError(errNoJSON))
}

func TestWhatIsNoAnswer(t *testing.T) {
	g := NewWithT(t)
	for body, want := range map[string]error{
		``: errNoJSON, `{"cho`: errNoJSON, `{}`: errEmpty, `{"choices": []}`: errEmpty,
		`{"choices": [{"message": {"role": "assistant", "content": " \n"}}]}`:  errEmpty,
		`data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}` + "\n\n": errEmpty,
	} {
		_, err := answered(reply{body: []byte(body)})
		g.Expect(err).To(MatchError(want), body)
	}
}
