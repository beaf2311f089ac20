package tool_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/tool"
)

func TestEveryToolIsAnOperationOfTheContract(t *testing.T) {
	g := gomega.NewWithT(t)
	for _, one := range tool.All() {
		op, found := contract.FindOperation("knowledge." + one.Name)
		g.Expect(found).To(gomega.BeTrue(), one.Name)
		g.Expect(op.Write).To(gomega.Equal(one.Write), one.Name)
		g.Expect(one.Misfit(one.Example)).To(gomega.BeEmpty(), one.Name)
		g.Expect(one.Function()).To(gomega.ContainSubstring(`"name":"` + one.Name + `"`))
	}
}

func TestArgumentsThatDoNotFitAreTold(t *testing.T) {
	g := gomega.NewWithT(t)
	for _, c := range []struct{ name, arguments, want string }{
		{"search_kb", `{"q":"refund window"}`, ""},
		{"search_kb", `{"q":"refund window","limit":3}`, ""},
		{"search_kb", `{"q":7}`, "at /q: got number, want string"},
		{"search_kb", `{"q":""}`, "at /q: minLength: got 0, want 1"},
		{"search_kb", `{"query":"refund window"}`, "at /: missing property 'q'; at /: additional properties 'query' not allowed"},
		{"search_kb", `{"q":"a","limit":"three"}`, "at /limit: got string, want integer"},
		{"search_kb", `{"q": `, "no JSON"},
		{"search_kb", `[]`, "at /: got array, want object"},
		{"delete_record", `{"id":"991"}`, "at /id: '991' does not match pattern '^r_[0-9]{1,9}$'"},
		{"drop_table", `{}`, "there is no such tool"},
	} {
		g.Expect(tool.Misfit(c.name, json.RawMessage(c.arguments))).To(gomega.Equal(c.want), "%s %s", c.name, c.arguments)
	}
}

func TestAnHTTPCallStatesTheArgumentsThatTheModelWrote(t *testing.T) {
	g := gomega.NewWithT(t)
	for _, c := range []struct {
		name  string
		path  []string
		query string
		body  string
		want  string
	}{
		{"search_kb", []string{"search"}, "q=refund+window", "", `{"q":"refund window"}`},
		{"search_kb", []string{"search"}, "q=refund+window&limit=3", "", `{"limit":3,"q":"refund window"}`},
		{"search_kb", []string{"search"}, "q=7&limit=three", "", `{"limit":"three","q":"7"}`},
		{"delete_record", []string{"records", "r_991"}, "", "", `{"id":"r_991"}`},
		{"archive_record", []string{"records", "r_991", "archive"}, "", `null`, `{"id":"r_991"}`},
		{"issue_refund", []string{"refunds"}, "", `{"amount":"12.50","order":"o_17"}`, `{"amount":"12.50","order":"o_17"}`},
		{"issue_refund", []string{"refunds"}, "", `[1]`, `{}`},
	} {
		one, _ := tool.Find(c.name)
		g.Expect(one.Match(one.Method, c.path)).To(gomega.BeTrue(), c.name)
		query, err := url.ParseQuery(c.query)
		g.Expect(err).NotTo(gomega.HaveOccurred())
		g.Expect(string(one.Arguments(c.path, query, []byte(c.body)))).To(gomega.Equal(c.want), c.name)
	}
}

func TestACallIsOfOneToolOnly(t *testing.T) {
	g := gomega.NewWithT(t)
	for _, path := range [][]string{{"search"}, {"records", "r_1"}, {"records", "r_1", "archive"}, {"refunds"}, {"other"}} {
		for _, method := range []string{"GET", "POST", "DELETE"} {
			n := 0
			for _, one := range tool.All() {
				if one.Match(method, path) {
					n++
				}
			}
			g.Expect(n).To(gomega.BeNumerically("<=", 1), "%s %v", method, path)
		}
	}
}
