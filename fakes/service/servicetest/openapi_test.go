package servicetest_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/approval"
	"github.com/lostreceipt/lostreceipt/fakes/desk"
	"github.com/lostreceipt/lostreceipt/fakes/knowledge"
	"github.com/lostreceipt/lostreceipt/fakes/model"
	"github.com/lostreceipt/lostreceipt/fakes/purchase"
	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/fakes/service/servicetest"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// document is fakes/openapi.yaml, and what of it was seen.
type document struct {
	doc    *openapi3.T
	router routers.Router
	seen   map[string]bool // "operation status"
}

func read(t *testing.T) *document {
	t.Helper()
	g := NewWithT(t)
	doc, err := openapi3.NewLoader().LoadFromFile("../../openapi.yaml")
	g.Expect(err).NotTo(HaveOccurred())
	doc.Servers = nil
	g.Expect(doc.Validate(t.Context())).To(Succeed())
	router, err := gorillamux.NewRouter(doc)
	g.Expect(err).NotTo(HaveOccurred())
	return &document{doc: doc, router: router, seen: map[string]bool{}}
}

// exchange is one request and what came of it.
type exchange struct {
	method, path, key, body string
	status                  int
	header                  http.Header
	reply                   string
}

// check holds an exchange against the document: its reply is described, what was
// taken was allowed, and what was refused as malformed was not.
func (d *document) check(t *testing.T, x exchange) {
	t.Helper()
	g := NewWithT(t)
	request, err := http.NewRequestWithContext(t.Context(), x.method, "http://service"+x.path, strings.NewReader(x.body))
	g.Expect(err).NotTo(HaveOccurred())
	if x.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if x.key != "" {
		request.Header.Set("Idempotency-Key", x.key)
	}
	route, params, err := d.router.FindRoute(request)
	g.Expect(err).NotTo(HaveOccurred(), "%s %s", x.method, x.path)
	input := &openapi3filter.RequestValidationInput{
		Request: request, PathParams: params, Route: route, Options: &openapi3filter.Options{IncludeResponseStatus: true},
	}
	err = openapi3filter.ValidateRequest(t.Context(), input)
	switch {
	case x.status == http.StatusBadRequest:
		g.Expect(err).To(HaveOccurred(), "the document allows what was refused with %s", x.reply)
	case x.status < 300:
		g.Expect(err).NotTo(HaveOccurred(), "the document forbids what was taken")
	}
	g.Expect(openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: x.status, Header: x.header, Options: input.Options,
		Body: io.NopCloser(bytes.NewReader([]byte(x.reply))),
	})).To(Succeed(), "%s %s: %d %s", x.method, x.path, x.status, x.reply)
	d.seen[route.Operation.OperationID+" "+strconv.Itoa(x.status)] = true
}

// services are all of them, each behind a seam of its own.
type services struct {
	*document
	seams map[string]*servicetest.Seam
	urls  map[string]string
}

func open(t *testing.T, set approval.Settings) *services {
	t.Helper()
	g := NewWithT(t)
	s := &services{document: read(t), seams: map[string]*servicetest.Seam{}, urls: map[string]string{}}
	log := history.NewLog(nil)
	frame := func(name string) service.Config {
		s.seams[name] = &servicetest.Seam{}
		return service.Config{Log: log, Seam: s.seams[name], Identify: func(string, int) (fault.Ref, bool) {
			return fault.Ref{Call: "c", Task: "t-1", Work: "w-1"}, true
		}}
	}
	a, err := approval.Open(approval.Config{Frame: frame("approval"), Settings: set})
	g.Expect(err).NotTo(HaveOccurred())
	p, err := purchase.Open(purchase.Config{Frame: frame("purchase")})
	g.Expect(err).NotTo(HaveOccurred())
	k, err := desk.Open(desk.Config{Frame: frame("desk")})
	g.Expect(err).NotTo(HaveOccurred())
	kb, err := knowledge.Open(knowledge.Config{Frame: frame("knowledge")})
	g.Expect(err).NotTo(HaveOccurred())
	m, err := model.Open(model.Config{Frame: frame("model"), Settings: model.Settings{Script: []model.Turn{
		{Speech: fault.Speech{Calls: []fault.SpokenCall{{Tool: "search_kb", Arguments: `{"q":"a"}`}}}}, {Speech: fault.Speech{Text: "30 days"}},
	}}})
	g.Expect(err).NotTo(HaveOccurred())
	s.urls = map[string]string{"approval": a.URL(), "purchase": p.URL(), "desk": k.URL(), "knowledge": kb.URL(), "model": m.URL()}
	t.Cleanup(func() {
		for _, end := range []func(context.Context) error{a.Close, p.Close, k.Close, kb.Close, m.Close} {
			g.Expect(end(context.Background())).To(Succeed())
		}
	})
	return s
}

// call makes a real exchange, holds it against the document, and demands its status.
func (s *services) call(t *testing.T, status int, name, method, path, key, body string) servicetest.Reply {
	t.Helper()
	r := servicetest.Client{URL: s.urls[name]}.Call(t, method, path, key, body)
	NewWithT(t).Expect(r.Status).To(Equal(status), "%s %s: %s", method, path, r.Text)
	s.check(t, exchange{method, path, key, body, r.Status, r.Header, r.Text})
	return r
}

const (
	content    = `{"amount":"1200.00","applicant":"u-1"}`
	submission = `{"confirmation":{"id":"c-1","version":1},"tenant":"acme","object":"po-17","content":` + content + `,"digest":"d"}`
	other      = `{"confirmation":{"id":"c-1","version":2},"tenant":"acme","object":"po-17","content":{},"digest":"e"}`
	malformed  = `{"confirmation":{"id":"c-1"},"tenant":"acme","object":"po-17","content":{},"digest":"e"}`
)

func TestTheServicesAnswerAsTheDocumentSays(t *testing.T) {
	g := NewWithT(t)
	promises := approval.Promises(time.Minute)
	submit := promises["approval.submit"]
	submit.Void = true
	promises["approval.submit"] = submit
	s := open(t, approval.Settings{Promises: promises, Outcome: approval.Approved, ApproverAfter: time.Hour, NotificationFails: 1})

	s.seams["approval"].Order("submit#1 received", fault.Order{Conduct: fault.Conduct{Answer: &fault.Answer{Status: 429, RetryAfter: 1500 * time.Millisecond}}})
	limited := s.call(t, 429, "approval", "POST", "/v1/approvals", "k-1", submission)
	g.Expect(limited.Header.Get("Retry-After")).To(Equal("2"))
	g.Expect(limited.Header.Get("Retry-After-Ms")).To(Equal("1500"))
	s.seams["approval"].Order("submit#2 received", fault.Order{Conduct: fault.Conduct{Answer: &fault.Answer{Status: 502}}})
	s.call(t, 502, "approval", "POST", "/v1/approvals", "k-1", submission)
	s.seams["approval"].Order("submit#1 validated", fault.Order{Conduct: fault.Conduct{Distortion: fault.Queued}})
	s.call(t, 202, "approval", "POST", "/v1/approvals", "k-q", submission)
	s.seams["approval"].Order("submit#2 validated", fault.Order{Conduct: fault.Conduct{Later: make(chan struct{})}})
	s.call(t, 202, "approval", "POST", "/v1/approvals", "k-p", submission)
	s.call(t, 200, "approval", "GET", "/v1/submissions/k-p", "", "")

	ref := s.call(t, 201, "approval", "POST", "/v1/approvals", "k-1", submission).Ref()
	s.call(t, 201, "approval", "POST", "/v1/approvals", "k-1", submission)
	s.call(t, 409, "approval", "POST", "/v1/approvals", "k-1", other)
	s.call(t, 400, "approval", "POST", "/v1/approvals", "k-2", malformed)
	s.call(t, 200, "approval", "GET", "/v1/approvals/"+ref, "", "")
	s.call(t, 404, "approval", "GET", "/v1/approvals/a-99", "", "")
	g.Expect(s.call(t, 200, "approval", "GET", "/v1/approvals?key=k-1", "", "").Items()).To(HaveLen(1))
	s.call(t, 200, "approval", "GET", "/v1/approvals?key=nothing", "", "")
	g.Expect(s.call(t, 200, "approval", "GET", "/v1/approvals?applicant=u-1&amount=1200.00", "", "").Items()).To(HaveLen(2))
	s.call(t, 200, "approval", "GET", "/v1/submissions/k-1", "", "")
	s.call(t, 200, "approval", "GET", "/v1/submissions/nothing", "", "")
	s.call(t, 200, "approval", "POST", "/v1/submissions/k-1/void", "", "")
	s.call(t, 200, "approval", "POST", "/v1/submissions/fenced/void", "", "")
	s.call(t, 409, "approval", "POST", "/v1/approvals", "fenced", submission)
	s.call(t, 409, "approval", "POST", "/v1/approvals/"+ref+"/notifications", "n-1", "{}")
	s.seams["approval"].Order("track#3 received", fault.Order{Conduct: fault.Conduct{Outcome: approval.Approved}})
	g.Expect(s.call(t, 200, "approval", "GET", "/v1/approvals/"+ref, "", "").Get("consequences.notification")).To(Equal("failed"))
	g.Expect(s.call(t, 200, "approval", "POST", "/v1/approvals/"+ref+"/notifications", "n-1", "{}").Get("consequences.notification")).To(Equal("sent"))
	s.call(t, 409, "approval", "POST", "/v1/withdrawals", "w-1", `{"ref":"`+ref+`"}`)
	s.call(t, 400, "approval", "POST", "/v1/withdrawals", "w-1", `{}`)
	s.call(t, 404, "approval", "POST", "/v1/withdrawals", "w-1", `{"key":"nothing"}`)
	s.call(t, 201, "approval", "POST", "/v1/approvals", "k-3", submission)
	s.call(t, 200, "approval", "POST", "/v1/withdrawals", "w-2", `{"key":"k-3"}`)

	order := `{"approval":"` + ref + `","content":` + content + `}`
	s.call(t, 201, "purchase", "POST", "/v1/purchases", "b-1", order)
	s.call(t, 409, "purchase", "POST", "/v1/purchases", "b-1", `{"approval":"a-2","content":{}}`)
	s.call(t, 400, "purchase", "POST", "/v1/purchases", "b-2", `{"approval":"a-2"}`)
	g.Expect(s.call(t, 200, "purchase", "GET", "/v1/purchases?key=b-1", "", "").Items()).To(HaveLen(1))
	s.call(t, 200, "purchase", "GET", "/v1/submissions/b-1", "", "")

	s.call(t, 201, "desk", "POST", "/v1/escalations", "e-1", `{"task":"t-1","original":{"confirmation":{"id":"c-1","version":1},"content":`+content+
		`,"key":"k-1","first_sent_at":null},"basis":{"confirmation":{"id":"c-1","version":1},"checked":null},"queries":[{"operation":"approval.query",`+
		`"outcome":"empty","count":13}],"unknowns":["acceptance"],"entry_points":["query"],"last_error":"","trace":[]}`)
	s.call(t, 400, "desk", "POST", "/v1/escalations", "e-1", `[]`)
	s.call(t, 201, "desk", "POST", "/v1/escalations", "e-2", `{"task":"t-1","original":{"prompt":"q"},"last_error":"Timeout","trace":["search_kb failed"]}`)
	s.answers(t)

	for path, item := range s.doc.Paths.Map() {
		for method, op := range item.Operations() {
			met := false
			for what := range s.seen {
				met = met || strings.HasPrefix(what, op.OperationID+" 20")
			}
			g.Expect(met).To(BeTrue(), "%s %s is not tried here", method, path)
		}
	}
}

// answers tries the tools and the model.
func (s *services) answers(t *testing.T) {
	t.Helper()
	g := NewWithT(t)
	for _, name := range []string{"search", "cache", "archive", "web"} {
		g.Expect(s.call(t, 200, "knowledge", "GET", "/v1/"+name+"?q=refund&limit=2", "", "").Items()).NotTo(BeEmpty())
	}
	s.seams["knowledge"].Order("delete_record#1 received", fault.Order{Conduct: fault.Conduct{Answer: &fault.Answer{Status: 403}}})
	s.call(t, 403, "knowledge", "DELETE", "/v1/records/r_991", "", "")
	s.call(t, 400, "knowledge", "GET", "/v1/search?limit=2", "", "")
	s.call(t, 422, "knowledge", "GET", "/v1/search?q=%3F", "", "")
	s.seams["knowledge"].Order("search_kb#4 received", fault.Order{Conduct: fault.Conduct{Answer: &fault.Answer{Status: 503, RetryAfter: time.Second}}})
	s.call(t, 503, "knowledge", "GET", "/v1/search?q=refund", "", "")
	s.call(t, 404, "knowledge", "DELETE", "/v1/records/r_5", "", "")
	s.call(t, 200, "knowledge", "DELETE", "/v1/records/r_991", "", "")
	s.call(t, 200, "knowledge", "POST", "/v1/records/r_104/archive", "", "")
	s.call(t, 400, "knowledge", "POST", "/v1/refunds", "", `{"order":"o_17","amount":12.5}`)
	s.call(t, 422, "knowledge", "POST", "/v1/refunds", "", `{"order":"o_17","amount":"999.00"}`)
	s.call(t, 201, "knowledge", "POST", "/v1/refunds", "f-1", `{"order":"o_17","amount":"12.50"}`)

	const asked = `{"role":"user","content":"q"}`
	const called = `{"role":"assistant","content":null,"tool_calls":[{"id":"call_1_1","type":"function","function":{"name":"search_kb","arguments":"{}"}}]}`
	request := func(messages string) string { return `{"model":"primary","messages":[` + messages + `]}` }
	s.call(t, 200, "model", "POST", "/v1/chat/completions", "", request(asked))
	s.call(t, 200, "model", "POST", "/v1/chat/completions", "", request(asked+","+called+`,{"role":"tool","tool_call_id":"call_1_1","content":"{}"}`))
	s.call(t, 404, "model", "POST", "/v1/chat/completions", "", `{"model":"other","messages":[`+asked+`]}`)
	s.call(t, 400, "model", "POST", "/v1/chat/completions", "", request(""))
	s.seams["model"].Order("chat#5 received", fault.Order{Conduct: fault.Conduct{Answer: &fault.Answer{Status: 429, RetryAfter: time.Second}}})
	s.call(t, 429, "model", "POST", "/v1/chat/completions", "", request(asked))
	s.call(t, 200, "model", "GET", "/v1/models", "", "")
}

// example is a request, and behind it the reply, as services.md shows them.
var example = regexp.MustCompile(`(?m)^    (GET|POST|DELETE) (\S+)\n(?:    Idempotency-Key: (\S+)\n)?\n?(?:    (\{.*\})\n\n)?    (\d{3})\n\n    (\{.*\})\n`)

func TestTheExamplesInTheTextAreWhatTheDocumentSays(t *testing.T) {
	g := NewWithT(t)
	d := read(t)
	text, err := os.ReadFile("../../services.md")
	g.Expect(err).NotTo(HaveOccurred())
	found := example.FindAllStringSubmatch(string(text), -1)
	for _, m := range found {
		status, err := strconv.Atoi(m[5])
		g.Expect(err).NotTo(HaveOccurred())
		d.check(t, exchange{
			method: m[1], path: m[2], key: m[3], body: m[4], status: status, reply: m[6],
			header: http.Header{"Content-Type": {"application/json"}},
		})
	}
	g.Expect(len(found)).To(Equal(strings.Count(string(text), "\n    GET ") + strings.Count(string(text), "\n    POST ") + strings.Count(string(text), "\n    DELETE ")))
	for _, item := range d.doc.Paths.Map() {
		for _, op := range item.Operations() {
			g.Expect(d.seen).To(Or(HaveKey(op.OperationID+" 200"), HaveKey(op.OperationID+" 201")), "%s has no example", op.OperationID)
		}
	}
}
