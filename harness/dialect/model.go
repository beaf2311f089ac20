package dialect

import (
	"net/http"
	"net/url"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

type model struct{}

func (model) service() string { return "model" }

func (model) operation(method string, path []string, _ url.Values) string {
	switch {
	case method == http.MethodPost && is(path, "chat", "completions"):
		return "chat"
	case method == http.MethodGet && (is(path, "models") || is(path, "models", "*")):
		return "list"
	}
	return ""
}

func (model) request(op string, _ []string, _ url.Values, body []byte, f *history.Facts) {
	if op != "chat" {
		return
	}
	m := ReadMessage(body)
	chat := &history.Chat{Model: m.Text("model"), Stream: m.Flag("stream")}
	all := m.Objects("messages")
	chat.Count = len(all)
	for _, one := range all[max(0, len(all)-maxMessages):] {
		chat.Messages = append(chat.Messages, readTurn(one))
	}
	boundCalls(chat.Messages)
	f.Chat, f.Malformed = chat, m.Err() != nil
}

func (model) reply(op string, status int, body []byte, f *history.Facts) {
	switch {
	case status < 200 || status > 299:
		refusedByModel(body, f)
	case op == "chat":
		f.Chat, f.Malformed = readCompletion(body)
	}
}

// refusedByModel reads an error as OpenAI's interface writes it: an object in
// the field error, with a code, a type, or neither.
func refusedByModel(body []byte, f *history.Facts) {
	m := ReadMessage(body)
	if f.Code = m.Text("error.code"); f.Code == "" {
		f.Code = m.Text("error.type")
	}
	f.Malformed = m.Err() != nil || m.Raw("error") == nil
}
