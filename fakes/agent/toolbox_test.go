package agent

import (
	"encoding/json"
	"testing"

	. "github.com/onsi/gomega"
)

func TestAToolIsCalledWhereItIs(t *testing.T) {
	g := NewWithT(t)
	for _, c := range []struct{ tool, arguments, method, url, body string }{
		{"search_kb", `{"q": "a&b", "limit": 3}`, "GET", "http://k/v1/search?limit=3&q=a%26b", ""},
		{"search_web", `{}`, "GET", "http://k/v1/web", ""},
		{"delete_record", `{"id": "r_1/2"}`, "DELETE", "http://k/v1/records/r_1%2F2", ""},
		{"archive_record", `{"id": "r_1"}`, "POST", "http://k/v1/records/r_1/archive", ""},
		{"issue_refund", `{"order": "o_1", "amount": "1.50"}`, "POST", "http://k/v1/refunds", `{"amount":"1.50","order":"o_1"}`},
	} {
		r, ok := reach("http://k", c.tool, json.RawMessage(c.arguments))
		g.Expect(ok).To(BeTrue())
		g.Expect(r).To(Equal(request{operation: "knowledge." + c.tool, method: c.method, url: c.url, body: r.body}))
		g.Expect(string(r.body)).To(Equal(c.body))
	}
	_, ok := reach("http://k", "drop_table", nil)
	g.Expect(ok).To(BeFalse())
}

func TestArgumentsAreHeldAgainstTheirSchema(t *testing.T) {
	g := NewWithT(t)
	var d declaration
	g.Expect(json.Unmarshal([]byte(declare("search_kb", "q")), &d)).To(Succeed())
	g.Expect(misfit(&d, `{"q": "x"}`)).To(Succeed())
	g.Expect(misfit(&d, `{"q": 7}`)).To(MatchError("- at '/q': got number, want string"))
	g.Expect(misfit(&d, `{"query": "x"}`)).To(MatchError(And(ContainSubstring("missing property 'q'"), ContainSubstring("'query' not allowed"))))
	g.Expect(misfit(&d, `{"q": `)).To(MatchError(HavePrefix("the arguments are no JSON: ")))
	g.Expect(misfit(&declaration{}, `{"any": 1}`)).To(Succeed(), "a tool without a schema takes anything")
}

func TestArgumentsAreTranslatedOnlyWhereTheyFit(t *testing.T) {
	g := NewWithT(t)
	var d declaration
	g.Expect(json.Unmarshal([]byte(declare("kb_cache", "query")), &d)).To(Succeed())
	for arguments, want := range map[string]string{
		`{"query": "x"}`: `{"query": "x"}`, `{"q": "x"}`: `{"query":"x"}`, `{"q": "x", "limit": 3}`: "", `{}`: "",
	} {
		got, ok := translated(arguments, &d)
		g.Expect(got).To(Equal(want), arguments)
		g.Expect(ok).To(Equal(want != ""), arguments)
	}
	_, ok := translated(`{"q": "x"}`, nil)
	g.Expect(ok).To(BeFalse(), "a tool that is not declared takes nothing")
}
