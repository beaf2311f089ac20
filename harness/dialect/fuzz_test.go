package dialect_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/lostreceipt/lostreceipt/harness/dialect"
)

// FuzzTheLanguagesNeverPanic reads anything as a request and as a reply of every
// kind that a body names. What is stated stays far below what a record may have.
func FuzzTheLanguagesNeverPanic(f *testing.F) {
	for _, body := range []string{
		"", "null", "{}", "[]", `{"messages":[{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"search_kb","arguments":"{"}}]}]}`,
		`{"choices":[{"message":{"content":[{"text":"a"}]}}]}`, "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-1}]}}]}\n\n",
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":99999999}]}}]}\n\ndata: [DONE]\n\n",
		`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"search_kb","arguments":null}}`,
		`{"jsonrpc":"2.0","result":{"isError":true,"content":[{"text":"{}"}]}}`, `{"error":{"code":1}}`, `{"items":[1,{"id":2}]}`,
		`{"role":"tool","content":"{\"error\":{},\"attempts\":1e400,\"retryable\":null}"}`,
	} {
		f.Add([]byte(body))
	}
	many := `{"tool_calls":[` + strings.Repeat("{},", 128) + "{}]}"
	f.Add([]byte(`{"messages":[` + strings.Repeat(many+",", 150) + many + "]}"))
	chat, refund, mcp := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", nil), httptest.NewRequest(http.MethodPost, "/v1/refunds", nil), httptest.NewRequest(http.MethodPost, "/mcp", nil)
	f.Fuzz(func(t *testing.T, body []byte) {
		language := dialect.HTTP{}
		body = body[:min(len(body), 64<<10)] // as the gate cuts it
		called := language.BodyOperation("knowledge", mcp, body)
		for _, stated := range []any{
			language.Request("model", "chat", chat, body), language.Reply("model", "chat", 200, nil, body), language.Reply("model", "chat", 500, nil, body),
			language.Request("knowledge", "issue_refund", refund, body), language.Request("knowledge", called, mcp, body),
			language.Reply("knowledge", "search_kb", 200, nil, body), language.Reply("knowledge", "search_kb", 404, nil, body),
		} {
			text, err := json.Marshal(stated)
			if err != nil {
				t.Fatal(err)
			}
			if len(text) > 900<<10 {
				t.Fatalf("%d bytes are stated of %d", len(text), len(body))
			}
		}
	})
}
