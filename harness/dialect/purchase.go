package dialect

import (
	"net/http"
	"net/url"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

type purchase struct{}

func (purchase) service() string { return "purchase" }

func (purchase) operation(method string, path []string, query url.Values) string {
	switch {
	case method == http.MethodPost && is(path, "purchases"):
		return "buy"
	case method == http.MethodGet && is(path, "purchases") && query.Has("key"):
		return "query"
	case method == http.MethodGet && is(path, "submissions", "*"):
		return "query"
	}
	return ""
}

func (purchase) request(op string, path []string, query url.Values, body []byte, f *history.Facts) {
	switch op {
	case "buy":
		m := ReadMessage(body)
		f.Approval, f.Content = m.Text("approval"), ContentDigest(m.Raw("content"))
		f.Malformed = m.Err() != nil
	case "query":
		f.Key = askedKey(path, query)
	}
}

func (purchase) reply(op string, status int, body []byte, f *history.Facts) {
	readReply(op, status, body, f)
}
