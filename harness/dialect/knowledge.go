package dialect

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/tool"
)

// The states of a reply that shows articles.
const (
	found = "found"
	empty = "empty"
)

type knowledge struct{}

func (knowledge) service() string { return "knowledge" }

func (knowledge) operation(method string, path []string, _ url.Values) string {
	for _, t := range tool.All() {
		if t.Match(method, path) {
			return t.Name
		}
	}
	return ""
}

func (knowledge) request(op string, path []string, query url.Values, body []byte, f *history.Facts) {
	t, ok := tool.Find(op)
	if !ok {
		return
	}
	f.Tool = called(t.Name, t.Arguments(path, query, body))
	f.Malformed = t.Method == http.MethodPost && len(body) > 0 && !json.Valid(body)
}

// Arguments are what a call of a tool states, as the JSON object that a model
// would have written; nil when the request is no call of it.
func Arguments(name string, r *http.Request, body []byte) json.RawMessage {
	if speaksMCP("knowledge", r) {
		return readMCP(body).arguments()
	}
	t, ok := tool.Find(name)
	path, clean := segments(r.URL)
	if !ok || !clean || !t.Match(r.Method, path) {
		return nil
	}
	return t.Arguments(path, r.URL.Query(), body)
}

// called is a call of a tool with these arguments.
func called(name string, arguments json.RawMessage) *history.Tool {
	return &history.Tool{Name: name, Arguments: argumentsDigest(string(arguments)), Misfit: tool.Misfit(name, arguments)}
}

func (knowledge) reply(op string, status int, body []byte, f *history.Facts) {
	if status < 200 || status > 299 {
		refusal(body, f)
		return
	}
	if _, called := tool.Find(op); called && !replyOfMCP(body, f) {
		readTool(body, f)
	}
}

// readTool reads what a tool answers: articles, or a record that it has changed.
// An answer of success that tells of a failure keeps the failure's code.
func readTool(body []byte, f *history.Facts) {
	m := ReadMessage(body)
	if m.Raw("items") != nil {
		f.Listed, f.Status = true, empty
		for _, o := range m.Objects("items") {
			f.Status = found
			f.Items = append(f.Items, history.Item{Ref: o.Text("id")})
		}
	} else {
		f.Ref, f.Status = m.Text("id"), m.Text("status")
	}
	f.AsOf, f.Code = m.Text("as_of"), m.Text("code")
	f.Malformed = m.Err() != nil
}
