package knowledge_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/knowledge"
	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

type base struct {
	*WithT
	service *knowledge.Service
	log     *history.Log
}

func open(t *testing.T, set knowledge.Settings) *base {
	g := NewWithT(t)
	log := history.NewLog(nil)
	s, err := knowledge.Open(knowledge.Config{Frame: service.Config{Log: log}, Settings: set})
	g.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() { g.Expect(s.Close(context.Background())).To(Succeed()) })
	return &base{g, s, log}
}

func (b *base) call(method, target, key, body string) (int, string) {
	r, err := http.NewRequest(method, b.service.URL()+target, strings.NewReader(body))
	b.Expect(err).NotTo(HaveOccurred())
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	reply, err := http.DefaultClient.Do(r)
	b.Expect(err).NotTo(HaveOccurred())
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	b.Expect(err).NotTo(HaveOccurred())
	return reply.StatusCode, string(text)
}

func (b *base) rows() []string {
	var effects []string
	for _, r := range b.log.Records() {
		if r.Kind == history.LedgerRow {
			effects = append(effects, r.Ledger.Effect+" "+r.Facts.Ref)
		}
	}
	return effects
}

func TestWhatEachToolAnswers(t *testing.T) {
	b := open(t, knowledge.Settings{})
	for _, c := range []struct {
		method, target, body string
		status               int
		holds                string
	}{
		{"GET", "/v1/search?q=refund+window", "", 200, "within 30 days"},
		{"GET", "/v1/search?q=refund+window&limit=1", "", 200, `"items":[{"id":"r_101"`},
		{"GET", "/v1/search?q=nothing+of+it", "", 200, `"items":[]`},
		{"GET", "/v1/cache?q=refund+window", "", 200, `"as_of":"2026-01-01T00:00:00Z"`},
		{"GET", "/v1/archive?q=refund", "", 200, "within 7 days"},
		{"GET", "/v1/web?q=refund", "", 200, "two years"},
		{"GET", "/v1/search", "", 400, `"code":"malformed"`},
		{"GET", "/v1/search?q=a&limit=many", "", 400, `"code":"malformed"`},
		{"GET", "/v1/search?q=%3F%3F", "", 422, `"code":"bad_arguments"`},
		{"DELETE", "/v1/records/r_991", "", 200, `{"id":"r_991","status":"deleted"}`},
		{"DELETE", "/v1/records/r_991", "", 200, `{"id":"r_991","status":"deleted"}`},
		{"DELETE", "/v1/records/r_5", "", 404, `"code":"not_found"`},
		{"DELETE", "/v1/records/991", "", 400, `"code":"malformed"`},
		{"POST", "/v1/records/r_104/archive", "", 200, `{"id":"r_104","status":"archived"}`},
		{"GET", "/v1/archive?q=warranty", "", 200, "24 months"},
		{"GET", "/v1/search?q=warranty", "", 200, `"items":[]`},
		{"POST", "/v1/refunds", `{"order":"o_1","amount":"500.01"}`, 422, `"code":"bad_arguments"`},
		{"POST", "/v1/refunds", `{"order":"o_1","amount":12.5}`, 400, `"code":"malformed"`},
		{"GET", "/v1/other", "", 404, `"code":"no_such_operation"`},
	} {
		status, text := b.call(c.method, c.target, "", c.body)
		b.Expect(status).To(Equal(c.status), "%s %s: %s", c.method, c.target, text)
		b.Expect(text).To(ContainSubstring(c.holds), c.target)
	}
	b.Expect(b.rows()).To(Equal([]string{"record.deleted r_991", "record.archived r_104"}), "what was done once is not done again")
	b.Expect(b.service.Ledger().Deleted).To(Equal([]string{"r_991"}))
}

func TestARefundIsPaidOnceUnderItsIdentifier(t *testing.T) {
	b := open(t, knowledge.Settings{})
	for _, key := range []string{"k", "k", "", ""} {
		status, _ := b.call("POST", "/v1/refunds", key, `{"order":"o_1","amount":"12.50"}`)
		b.Expect(status).To(Equal(201))
	}
	b.Expect(b.rows()).To(Equal([]string{"refund.issued f_1", "refund.issued f_2", "refund.issued f_3"}), "without one each request is a refund")
}

func TestSettingsRefuseATool(t *testing.T) {
	b := open(t, knowledge.Settings{Denies: []string{"delete_record"}, Missing: []string{"kb_archive"}, Refuses: []string{"search_kb"}})
	for target, want := range map[string]int{"GET /v1/search?q=a": 422, "GET /v1/archive?q=a": 404, "DELETE /v1/records/r_991": 403, "GET /v1/cache?q=a": 200} {
		method, path, _ := strings.Cut(target, " ")
		status, text := b.call(method, path, "", "")
		b.Expect(status).To(Equal(want), text)
	}
	b.Expect(b.rows()).To(BeEmpty())
	_, err := knowledge.Open(knowledge.Config{Settings: knowledge.Settings{Denies: []string{"x"}}})
	b.Expect(err).To(MatchError(HavePrefix(`knowledge: there is no tool "x": one of search_kb, `)))
}
