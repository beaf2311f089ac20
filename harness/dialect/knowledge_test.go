package dialect_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/dialect"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/tool"
)

func TestACallOfAToolStatesWhatTheModelAskedFor(t *testing.T) {
	g := NewWithT(t)
	for _, c := range []struct{ target, body, op, arguments, misfit string }{
		{"GET /v1/search?q=refund+window", "", "search_kb", `{"q":"refund window"}`, ""},
		{"GET /v1/search?limit=3&q=a", "", "search_kb", `{"q":"a","limit":3}`, ""},
		{"GET /v1/cache?q=", "", "kb_cache", `{"q":""}`, "at /q: minLength: got 0, want 1"},
		{"DELETE /v1/records/r_1", "", "delete_record", `{"id":"r_1"}`, ""},
		{"POST /v1/refunds", `{"order":"o_1","amount":"1.00"}`, "issue_refund", `{"amount":"1.00","order":"o_1"}`, ""},
		{"PUT /v1/refunds", ``, "unknown", ``, ""},
	} {
		method, path, _ := strings.Cut(c.target, " ")
		r := httptest.NewRequest(method, path, nil)
		op := dialect.HTTP{}.Operation("knowledge", r)
		g.Expect(op).To(Equal(c.op), c.target)
		f := dialect.HTTP{}.Request("knowledge", op, r, []byte(c.body))
		if op == "unknown" {
			g.Expect(f.Tool).To(BeNil())
			continue
		}
		g.Expect(f.Tool).To(Equal(&history.Tool{Name: op, Arguments: dialect.ContentDigest([]byte(c.arguments)), Misfit: c.misfit}), c.target)
	}
}

func TestEveryToolCanBeNamed(t *testing.T) {
	g := NewWithT(t)
	for _, one := range tool.All() {
		path := "/v1/" + strings.ReplaceAll(one.Path, "{id}", "r_1")
		g.Expect(dialect.HTTP{}.Operation("knowledge", httptest.NewRequest(one.Method, path, nil))).To(Equal(one.Name))
	}
}

func TestWhatAToolAnswers(t *testing.T) {
	g := NewWithT(t)
	reply := func(status int, body string) history.Facts {
		return *dialect.HTTP{}.Reply("knowledge", "kb_cache", status, nil, []byte(body))
	}
	g.Expect(reply(200, `{"items":[{"id":"r_1"}],"as_of":"2026-01-01T00:00:00Z"}`)).To(Equal(history.Facts{
		Listed: true, Status: "found", Items: []history.Item{{Ref: "r_1"}}, AsOf: "2026-01-01T00:00:00Z",
	}))
	g.Expect(reply(200, `{"items":[]}`)).To(Equal(history.Facts{Listed: true, Status: "empty"}))
	g.Expect(reply(200, `{"id":"r_1","status":"deleted"}`)).To(Equal(history.Facts{Ref: "r_1", Status: "deleted"}))
	g.Expect(reply(403, `{"code":"permission"}`)).To(Equal(history.Facts{Code: "permission"}))
	g.Expect(reply(200, `{"items":`)).To(Equal(history.Facts{Malformed: true}))
	g.Expect(reply(200, `{"code":"permission"}`).Code).To(Equal("permission"), "an error text in the body of a success")
}
