package judge_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

// chat is the conversation of a story about a question, as its agent keeps it.
type chat struct {
	messages []history.Message
	turns    int
}

// offer is the input of the question: search_kb falls back to kb_cache, then to
// search_web, then to an answer that admits the gap; delete_record to a person.
const offer = `{"prompt": "What is the refund window?",
	"tools": [{"type": "function", "function": {"name": "search_kb"}}, {"type": "function", "function": {"name": "kb_cache"}},
		{"type": "function", "function": {"name": "search_web"}}, {"type": "function", "function": {"name": "kb_archive"}},
		{"type": "function", "function": {"name": "delete_record"}}, {"type": "function", "function": {"name": "issue_refund"}}],
	"fallback": {"search_kb": ["kb_cache", "search_web", "answer_with_gap"]},
	"models": ["primary", "backup", "spare"]}`

// question hands a question to a worker, which acts from now on.
func (s *story) question(at float64, work string) *story {
	s.work = work
	kind := "task.start"
	if len(s.records) > 0 {
		kind = "task.resume"
	}
	if s.chat == nil {
		s.chat = &chat{messages: []history.Message{said("system", "You answer."), said("user", "What is the refund window?")}}
	}
	return s.add(at, history.Record{
		Kind: history.WorkGiven, Given: &history.Given{Kind: kind, Type: "question", Process: "p-" + work, Input: json.RawMessage(offer)},
	})
}

func said(role, text string) history.Message {
	return history.Message{Role: role, Text: text, Digest: role + ":" + text, Empty: strings.TrimSpace(text) == ""}
}

// wants is a call that the model asks for: "c1 search_kb refunds".
func wants(text string) history.ToolCall {
	var c history.ToolCall
	parts := strings.SplitN(text, " ", 3)
	c.ID, c.Name, c.Arguments = parts[0], parts[1], parts[2]
	if strings.HasPrefix(c.Arguments, "!") {
		c.Misfit = "at /q: missing"
	}
	return c
}

// ask sends the conversation to the first model.
func (s *story) ask(at float64, name string) *story { return s.askOf(at, name, "primary") }

func (s *story) askOf(at float64, name, model string) *story {
	messages := append([]history.Message{}, s.chat.messages...)
	digest := model
	for _, m := range messages {
		digest += m.Digest
	}
	s.call(at, name, "model.chat", history.Facts{Chat: &history.Chat{Model: model, Count: len(messages), Messages: messages}})
	s.records[len(s.records)-1].Wire.Digest = digest
	return s
}

// spoken is an answer of the model, which asks for calls or says something.
func spoken(calls ...string) history.Message {
	m := history.Message{Role: "assistant", Empty: true, Digest: "assistant:" + strings.Join(calls, ";")}
	for _, c := range calls {
		if text, is := strings.CutPrefix(c, "says "); is {
			m.Text, m.Empty = text, false
			continue
		}
		m.Calls = append(m.Calls, wants(c))
	}
	return m
}

// turn is a request to the model and its answer, which the agent takes and keeps.
func (s *story) turn(at float64, calls ...string) *story {
	s.chat.turns++
	name := fmt.Sprint("m-", s.chat.turns)
	return s.ask(at, name).speaks(at+1, name, calls...)
}

// speaks is the model's answer to a request, taken and kept.
func (s *story) speaks(at float64, name string, calls ...string) *story {
	m := spoken(calls...)
	s.chat.messages = append(s.chat.messages, m)
	return s.reply(at, name, 200, answered(m)).ends(at+10, name, "client fin")
}

func answered(m history.Message) history.Facts {
	finish := "stop"
	if len(m.Calls) > 0 {
		finish = "tool_calls"
	}
	return history.Facts{Chat: &history.Chat{Messages: []history.Message{m}, Finish: finish}}
}

// use is a call of a tool: "search_kb refunds".
func (s *story) use(at float64, name, what string) *story {
	tool, arguments, _ := strings.Cut(what, " ")
	t := &history.Tool{Name: tool, Arguments: arguments}
	if strings.HasPrefix(arguments, "!") {
		t.Misfit = "at /q: missing"
	}
	s.call(at, name, "knowledge."+tool, history.Facts{Tool: t})
	s.records[len(s.records)-1].Wire.Digest = what
	return s
}

// keyed gives the call just made an identifier.
func (s *story) keyed(key string) *story {
	s.records[len(s.records)-1].Wire.Key = key
	return s
}

// uses is a call of a tool and its reply, which the agent takes.
func (s *story) uses(at float64, name, what string, status int) *story {
	f := history.Facts{Listed: true, Status: "found"}
	if status >= 300 {
		f = history.Facts{Code: "some"}
	}
	return s.use(at, name, what).reply(at+1, name, status, f).ends(at+10, name, "client fin")
}

// hangs is a call of a tool that is never answered: the client gives it up.
func (s *story) hangs(at float64, name, what string) *story {
	return s.use(at, name, what).ends(at+400, name, "client fin")
}

// hears puts a tool message into the conversation.
func (s *story) hears(id, text string) *story {
	m := said("tool", text)
	m.CallID = id
	m.Digest += id
	s.chat.messages = append(s.chat.messages, m)
	return s
}

// fails puts an error payload into the conversation.
func (s *story) fails(id, name string, retryable bool, attempts int) *story {
	s.hears(id, fmt.Sprintf(`{"error":%q,"message":"it failed","retryable":%t,"attempts":%d}`, name, retryable, attempts))
	s.chat.messages[len(s.chat.messages)-1].Failed = &history.Failure{Error: name, Message: true, Retryable: &retryable, Attempts: &attempts}
	return s
}

// payload changes the error payload that was put in last.
func (s *story) payload(change func(f *history.Failure)) *story {
	f := *s.chat.messages[len(s.chat.messages)-1].Failed
	change(&f)
	s.chat.messages[len(s.chat.messages)-1].Failed = &f
	return s
}

// concludes is the result of a question.
func (s *story) concludes(at float64, sources, disclosures string) *story {
	return s.add(at, history.Record{Kind: history.ControlResult, Control: &history.Control{
		State: "answered", Output: "30 days", Sources: strings.Fields(sources), Disclosures: fieldsBy(disclosures, ";"),
	}})
}

func fieldsBy(text, by string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, by)
}

// refers hands the question over, and ends it so.
func (s *story) refers(at float64, name, key string, change func(b *history.Brief)) *story {
	b := history.Brief{Task: "t-1", LastError: "Timeout", Missing: []string{"original.key"}}
	if change != nil {
		change(&b)
	}
	return s.call(at, name, "desk.escalate", history.Facts{Key: key, Escalation: &b}).reply(at+1, name, 201, history.Facts{})
}

// timedOut is a search that timed out three times, and the model knows it.
func (s *story) timedOut() *story {
	return s.question(0, "w-1").turn(1, "c1 search_kb refunds").
		hangs(20, "t-1", "search_kb refunds").hangs(440, "t-2", "search_kb refunds").hangs(880, "t-3", "search_kb refunds").
		fails("c1", "Timeout", true, 3)
}

// forbidden is a deletion that was refused, and the model knows it.
func (s *story) forbidden() *story {
	return s.question(0, "w-1").turn(1, "c1 delete_record r_991").uses(20, "t-1", "delete_record r_991", 403).fails("c1", "PermissionDenied", false, 1)
}
