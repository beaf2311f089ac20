package dialect_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/dialect"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

func request(method, target, key, body string) *http.Request {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	return r
}

func TestARequestHasTheNameOfItsOperation(t *testing.T) {
	for _, c := range []struct{ service, method, target, want string }{
		{"approval", "POST", "/v1/approvals", "submit"},
		{"approval", "GET", "/v1/approvals/a-1", "track"},
		{"approval", "GET", "/v1/approvals?key=k-1", "query"},
		{"approval", "GET", "/v1/approvals?key=k-1&applicant=x", "query"},
		{"approval", "GET", "/v1/submissions/k%2F1", "query"},
		{"approval", "GET", "/v1/approvals?applicant=u-1&amount=2", "search"},
		{"approval", "GET", "/v1/approvals?amount=2", "search"},
		{"approval", "POST", "/v1/submissions/k-1/void", "void"},
		{"approval", "POST", "/v1/withdrawals", "withdraw"},
		{"approval", "POST", "/v1/approvals/a-1/notifications", "notify"},
		{"approval", "GET", "/v1/approvals", contract.Unknown},
		{"approval", "PUT", "/v1/approvals", contract.Unknown},
		{"approval", "HEAD", "/v1/approvals/a-1", contract.Unknown},
		{"approval", "POST", "/v1/approvals/", contract.Unknown},
		{"approval", "POST", "/v1//approvals", contract.Unknown},
		{"approval", "POST", "/approvals", contract.Unknown},
		{"approval", "POST", "/v1/purchases", contract.Unknown},
		{"purchase", "POST", "/v1/purchases", "buy"},
		{"purchase", "GET", "/v1/purchases?key=k", "query"},
		{"purchase", "GET", "/v1/submissions/k", "query"},
		{"purchase", "GET", "/v1/purchases/p-1", contract.Unknown},
		{"desk", "POST", "/v1/escalations", "escalate"},
		{"desk", "GET", "/v1/escalations", contract.Unknown},
		{"nowhere", "POST", "/v1/approvals", contract.Unknown},
	} {
		t.Run(c.service+" "+c.method+" "+c.target, func(t *testing.T) {
			g := NewWithT(t)
			g.Expect(dialect.HTTP{}.Operation(c.service, request(c.method, c.target, "", ""))).To(Equal(c.want))
		})
	}
}

func TestEveryOperationOfTheContractCanBeNamed(t *testing.T) {
	g := NewWithT(t)
	spoken := map[string]bool{}
	for service, targets := range map[string][]string{
		"approval": {
			"POST /v1/approvals", "GET /v1/approvals/a", "GET /v1/approvals?key=k", "GET /v1/approvals?applicant=a",
			"POST /v1/submissions/k/void", "POST /v1/withdrawals", "POST /v1/approvals/a/notifications",
		},
		"purchase": {"POST /v1/purchases", "GET /v1/purchases?key=k"},
		"desk":     {"POST /v1/escalations"},
	} {
		for _, target := range targets {
			method, path, _ := strings.Cut(target, " ")
			spoken[service+"."+dialect.HTTP{}.Operation(service, request(method, path, "", ""))] = true
		}
	}
	for _, op := range contract.Operations() {
		if op.Service == "approval" || op.Service == "purchase" || op.Service == "desk" {
			g.Expect(spoken).To(HaveKey(op.String()))
		}
	}
}

func TestARequestStatesItsFacts(t *testing.T) {
	content := dialect.ContentDigest([]byte(`{"amount":"1"}`))
	for _, c := range []struct {
		name, service, method, target, key, body string
		want                                     history.Facts
	}{
		{
			"a submission", "approval", "POST", "/v1/approvals", "k-1",
			`{"confirmation":{"id":"c-1","version":2},"tenant":"acme","object":"po","content":{"amount":"1"},"digest":"d","supersedes":"k-0"}`,
			history.Facts{Key: "k-1", Confirmation: "c-1", Version: 2, Tenant: "acme", Object: "po", Content: content, Digest: "d", Supersedes: "k-0"},
		},
		{
			"a version that a language writes as 2.0", "approval", "POST", "/v1/approvals", "", `{"confirmation":{"version":2.0}}`,
			history.Facts{Version: 2},
		},
		{
			"names in another case are other names", "approval", "POST", "/v1/approvals", "", `{"Tenant":"acme","DIGEST":"d"}`,
			history.Facts{},
		},
		{
			"a field of another type, and what else can be read", "approval", "POST", "/v1/approvals", "k",
			`{"tenant":7,"object":"po"}`,
			history.Facts{Key: "k", Object: "po", Malformed: true},
		},
		{"no JSON", "approval", "POST", "/v1/approvals", "k", `{"tenant":`, history.Facts{Key: "k", Malformed: true}},
		{"an identifier in the path", "approval", "GET", "/v1/submissions/k%2F1", "", "", history.Facts{Key: "k/1"}},
		{"an identifier in the query", "approval", "GET", "/v1/approvals?key=k%2F1", "", "", history.Facts{Key: "k/1"}},
		{"a fence", "approval", "POST", "/v1/submissions/k-1/void", "other", "", history.Facts{Key: "k-1"}},
		{"a look at one record", "approval", "GET", "/v1/approvals/a-1", "", "", history.Facts{Ref: "a-1"}},
		{"a notification", "approval", "POST", "/v1/approvals/a-1/notifications", "n-1", "", history.Facts{Key: "n-1", Ref: "a-1"}},
		{"a withdrawal by ref", "approval", "POST", "/v1/withdrawals", "w-1", `{"ref":"a-1"}`, history.Facts{Key: "w-1", Ref: "a-1"}},
		{"a withdrawal by identifier", "approval", "POST", "/v1/withdrawals", "w-1", `{"key":"k-1"}`, history.Facts{Key: "w-1", Supersedes: "k-1"}},
		{
			"a purchase", "purchase", "POST", "/v1/purchases", "b-1", `{"approval":"a-1","content":{"amount":"1"}}`,
			history.Facts{Key: "b-1", Approval: "a-1", Content: content},
		},
		{"an unknown request", "approval", "PUT", "/v1/approvals", "k", `{"tenant":"acme"}`, history.Facts{Key: "k"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := NewWithT(t)
			r := request(c.method, c.target, c.key, c.body)
			op := dialect.HTTP{}.Operation(c.service, r)
			g.Expect(*dialect.HTTP{}.Request(c.service, op, r, []byte(c.body))).To(Equal(c.want))
		})
	}
}

func TestAReplyStatesItsFacts(t *testing.T) {
	record := `{"ref":"a-1","key":"k-1","tenant":"acme","object":"po","confirmation":{"id":"c-1","version":1},` +
		`"content":{"amount":"1"},"digest":"d","status":"pending","consequences":{"notification":"none"},"seq":3,"at":"2026-01-01T00:00:00Z"}`
	facts := history.Facts{
		Ref: "a-1", Key: "k-1", Tenant: "acme", Object: "po", Confirmation: "c-1", Version: 1,
		Content: dialect.ContentDigest([]byte(`{"amount":"1"}`)), Digest: "d", Status: "pending", Notification: "none", Seq: 3,
	}
	for _, c := range []struct {
		name, service, op string
		status            int
		body              string
		want              history.Facts
	}{
		{"a record", "approval", "submit", 201, record, facts},
		{"a list", "approval", "query", 200, `{"items":[` + record + `],"replica":true}`, history.Facts{Listed: true, Replica: true, Items: []history.Item{facts}}},
		{"an empty list", "approval", "query", 200, `{"items":[]}`, history.Facts{Listed: true}},
		{"a search without items", "approval", "search", 200, `{}`, history.Facts{Malformed: true}},
		{"an unknown submission", "approval", "query", 200, `{"state":"unknown","final":false,"ref":null}`, history.Facts{Status: "unknown"}},
		{"a fenced one", "approval", "void", 200, `{"state":"void","final":true}`, history.Facts{Status: "void", Final: true}},
		{"a queue number", "approval", "submit", 202, `{"queue":"q-1"}`, history.Facts{Queue: "q-1"}},
		{"an empty body", "approval", "submit", 201, ``, history.Facts{Malformed: true}},
		{"a conflict", "approval", "submit", 409, `{"code":"identifier_conflict"}`, history.Facts{Code: "identifier_conflict"}},
		{"a refusal", "approval", "submit", 422, `{"code":"x","no_effect":true}`, history.Facts{Code: "x", NoEffect: true}},
		{"a gateway's page", "approval", "submit", 502, `<html>`, history.Facts{Malformed: true}},
		{"a record in an error", "approval", "submit", 500, record, history.Facts{}},
		{"a purchase", "purchase", "buy", 201, `{"ref":"p-1","key":"b","approval":"a-1","status":"done"}`, history.Facts{Ref: "p-1", Key: "b", Approval: "a-1", Status: "done"}},
		{"an escalation", "desk", "escalate", 201, `{"id":"e-1"}`, history.Facts{Ref: "e-1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := NewWithT(t)
			g.Expect(*dialect.HTTP{}.Reply(c.service, c.op, c.status, nil, []byte(c.body))).To(Equal(c.want))
		})
	}
}

func TestWhatAnAgentWritesIsBounded(t *testing.T) {
	g := NewWithT(t)
	long := strings.Repeat("x", 10_000)
	read := func(tail string) *history.Facts {
		r := request("POST", "/v1/approvals", "k", "")
		return dialect.HTTP{}.Request("approval", "submit", r, []byte(`{"tenant":"`+long+tail+`"}`))
	}
	g.Expect(len(read("").Tenant)).To(BeNumerically("<", 700))
	g.Expect(read("a").Tenant).NotTo(Equal(read("b").Tenant), "texts that differ stay different")

	many := `{"unknowns":[` + strings.Repeat(`"x",`, 5000) + `"x"]}`
	brief := dialect.HTTP{}.Request("desk", "escalate", request("POST", "/v1/escalations", "", ""), []byte(many)).Escalation
	g.Expect(len(brief.Unknowns)).To(BeNumerically("<=", 128))
}
