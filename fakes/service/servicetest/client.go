package servicetest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Client calls one service.
type Client struct {
	// URL is the base of the service's routes.
	URL string
	// HTTP sends the requests. Nil: a client that opens a connection for each, so that nothing is resent
	// behind the test's back.
	HTTP *http.Client
}

// Reply is a service's answer.
type Reply struct {
	Status int
	Header http.Header
	Text   string
	Body   map[string]any // nil when the text is no JSON object
}

// Ref is the reference that the reply names, "" for none.
func (r Reply) Ref() string { return r.Get("ref") }

// Get is a field of the reply as text, by its dotted path; "" when it is absent
// or null.
func (r Reply) Get(path string) string {
	var value any = r.Body
	for _, name := range strings.Split(path, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return ""
		}
		value = object[name]
	}
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

// Items are the records of a list.
func (r Reply) Items() []map[string]any {
	list, _ := r.Body["items"].([]any)
	items := make([]map[string]any, 0, len(list))
	for _, item := range list {
		object, _ := item.(map[string]any)
		items = append(items, object)
	}
	return items
}

// Call sends a request and fails the test when there is no reply.
func (c Client) Call(t testing.TB, method, path, key, body string) Reply {
	t.Helper()
	reply, err := c.Try(t.Context(), method, path, key, body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return reply
}

// Try sends a request and returns the error when there is no whole reply.
func (c Client) Try(ctx context.Context, method, path, key, body string) (Reply, error) {
	r, err := http.NewRequestWithContext(ctx, method, c.URL+path, strings.NewReader(body))
	if err != nil {
		return Reply{}, err
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	client := c.HTTP
	if client == nil {
		client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	}
	res, err := client.Do(r)
	if err != nil {
		return Reply{}, err
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return Reply{}, err
	}
	reply := Reply{Status: res.StatusCode, Header: res.Header, Text: string(text)}
	_ = json.Unmarshal(text, &reply.Body)
	return reply, nil
}
