package dialect

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// HTTP reads the messages of every service. The zero value is ready, and it is
// safe for concurrent use.
type HTTP struct{}

// language is one service's way of speaking.
type language interface {
	// service is the name that anchors and records use.
	service() string
	// operation names a request by its method, the unescaped segments of its path after /v1, and its
	// query; "" when it is none.
	operation(method string, path []string, query url.Values) string
	// request adds what a request states to f, which has the key of the header already.
	request(op string, path []string, query url.Values, body []byte, f *history.Facts)
	// reply adds what a reply states to f.
	reply(op string, status int, body []byte, f *history.Facts)
}

// languages are the services that can be understood.
func languages() []language {
	return []language{approval{}, purchase{}, desk{}, knowledge{}, model{}}
}

func find(service string) language {
	for _, l := range languages() {
		if l.service() == service {
			return l
		}
	}
	return nil
}

// Operation is the name of the operation that a request to a service is:
// one of [contract.Operations], else [contract.Unknown].
func (HTTP) Operation(service string, r *http.Request) string {
	if speaksMCP(service, r) {
		return mcpOther // what names its operation in its body is named by BodyOperation
	}
	l := find(service)
	path, ok := segments(r.URL)
	if l == nil || !ok {
		return contract.Unknown
	}
	if op := l.operation(r.Method, path, r.URL.Query()); op != "" {
		return op
	}
	return contract.Unknown
}

// Request is what a request states. Only the method, the URL and the headers of
// r are looked at; body is its whole body. The answer is never nil.
func (HTTP) Request(service, op string, r *http.Request, body []byte) *history.Facts {
	f := &history.Facts{Key: r.Header.Get("Idempotency-Key")}
	if speaksMCP(service, r) {
		requestOfMCP(op, body, f)
		bound(f)
		return f
	}
	path, ok := segments(r.URL)
	if l := find(service); l != nil && ok && op != contract.Unknown {
		l.request(op, path, r.URL.Query(), body, f)
	}
	bound(f)
	return f
}

// Reply is what a reply to an operation states. The answer is never nil.
func (HTTP) Reply(service, op string, status int, _ http.Header, body []byte) *history.Facts {
	f := &history.Facts{}
	if l := find(service); l != nil && op != contract.Unknown {
		l.reply(op, status, body, f)
	}
	bound(f)
	return f
}

// segments splits a path before it is unescaped, so that an identifier may hold
// a slash. The leading /v1 is taken off; ok is false without it.
func segments(u *url.URL) (path []string, ok bool) {
	rest, ok := strings.CutPrefix(u.EscapedPath(), "/v1/")
	if !ok {
		return nil, false
	}
	path = strings.Split(rest, "/")
	for i, s := range path {
		text, err := url.PathUnescape(s)
		if err != nil || text == "" {
			return nil, false
		}
		path[i] = text
	}
	return path, true
}

// is tells whether a path has this shape; "*" stands for any one segment.
func is(path []string, shape ...string) bool {
	if len(path) != len(shape) {
		return false
	}
	for i, s := range shape {
		if s != "*" && s != path[i] {
			return false
		}
	}
	return true
}

// refusal reads the body of a reply that is no success: a code, and whether the
// service says that there was no effect. A body that is not JSON states nothing.
func refusal(body []byte, f *history.Facts) {
	m := ReadMessage(body)
	f.Code, f.NoEffect = m.Text("code"), m.Flag("no_effect")
	f.Malformed = m.Err() != nil
}
