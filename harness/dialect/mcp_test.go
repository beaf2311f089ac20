package dialect_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/dialect"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

func TestWhatIsAskedForOverMCP(t *testing.T) {
	g := NewWithT(t)
	language := dialect.HTTP{}
	post := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	g.Expect(language.InBody("knowledge", post)).To(BeTrue())
	g.Expect(language.InBody("model", post)).To(BeFalse())
	g.Expect(language.InBody("knowledge", httptest.NewRequest(http.MethodPost, "/v1/refunds", nil))).To(BeFalse())
	g.Expect(language.Operation("knowledge", httptest.NewRequest(http.MethodGet, "/mcp", nil))).To(Equal("session"))
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`:                                  "initialize",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`:                                              "list_tools",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_kb"}}`:                "search_kb",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"initialize"}}`:               "session",
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`:                                      "session",
		`[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_kb"}}]`:              "session",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_kb","arguments":{"q"`: "session",
		``: "session",
	} {
		g.Expect(language.BodyOperation("knowledge", post, []byte(body))).To(Equal(want), body)
	}
	f := language.Request("knowledge", "search_kb", post, []byte(`{"method":"tools/call","params":{"name":"search_kb","arguments":{"q":"a","limit":2}}}`))
	g.Expect(f.Tool).To(Equal(&history.Tool{Name: "search_kb", Arguments: dialect.ContentDigest([]byte(`{"limit":2,"q":"a"}`))}))
	f = language.Request("knowledge", "search_kb", post, []byte(`{"method":"tools/call","params":{"name":"search_kb","arguments":null}}`))
	g.Expect(f.Tool.Misfit).To(Equal("at /: missing property 'q'"))
	g.Expect(language.Request("knowledge", "list_tools", post, []byte(`{}`)).Tool).To(BeNil())
}

func TestWhatIsAnsweredOverMCP(t *testing.T) {
	g := NewWithT(t)
	reply := func(body string) history.Facts {
		return *dialect.HTTP{}.Reply("knowledge", "kb_cache", 200, nil, []byte(body))
	}
	found := history.Facts{Listed: true, Status: "found", Items: []history.Item{{Ref: "r_1"}}, AsOf: "2026-01-01T00:00:00Z"}
	const articles = `{\"items\":[{\"id\":\"r_1\"}],\"as_of\":\"2026-01-01T00:00:00Z\"}`
	const result = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + articles + `"}]}}`
	g.Expect(reply(result)).To(Equal(found))
	g.Expect(reply("event: message\ndata: " + result + "\n\n")).To(Equal(found))
	g.Expect(reply(`{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"{\"code\":\"permission\"}"}]}}`)).To(Equal(history.Facts{Code: "permission"}))
	g.Expect(reply(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"m"}}`)).To(Equal(history.Facts{Code: "rpc -32602"}))
	g.Expect(reply(`{"jsonrpc":"2.0","id":1,"resu`)).To(Equal(history.Facts{Malformed: true}))
}
