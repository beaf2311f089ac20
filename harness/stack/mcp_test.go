package stack_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

const overMCP = `id: over-mcp
title: The tools are called over MCP
covers: [A02]
task: question
given: {knowledge: {denies: [delete_record]}}
faults:
  - at: knowledge.search_kb#1 received
    do: {status: {code: 503}}
  - at: knowledge.search_kb#2 replied
    do: reset
`

// connect is the official client at an endpoint.
func (r *rig) connect(t *testing.T, endpoint string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: endpoint + "/mcp", HTTPClient: r.client, MaxRetries: -1, DisableStandaloneSSE: true,
	}, nil)
	r.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func use(ctx context.Context, session *mcp.ClientSession, name string, arguments map[string]any) (text string, failed bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		return "", false, err
	}
	return result.Content[0].(*mcp.TextContent).Text, result.IsError, nil
}

func TestMCPListsTheToolsThatTheTaskOffers(t *testing.T) {
	r := openText(t, "id: a\ntitle: b\ncovers: [A14]\ntask: {type: question, tools: [search_kb, kb_cache]}\n", 0.05, nil, planned(t))
	session := r.connect(t, r.door(t, "t-1", "w-1")["knowledge"])
	for range 2 {
		list, err := session.ListTools(t.Context(), nil)
		r.Expect(err).NotTo(HaveOccurred())
		var names []string
		for _, one := range list.Tools {
			names = append(names, one.Name)
		}
		r.Expect(names).To(ConsistOf("search_kb", "kb_cache"))
	}
}

func TestTheOfficialClientFindsTheSameToolsBehindTheSameAnchors(t *testing.T) {
	r := openText(t, overMCP, 0.05, nil, planned(t))
	at := r.door(t, "t-1", "w-1")
	session := r.connect(t, at["knowledge"])
	list, err := session.ListTools(t.Context(), nil)
	r.Expect(err).NotTo(HaveOccurred())
	r.Expect(list.Tools).To(HaveLen(7))

	look := map[string]any{"q": "refund window"}
	for range 2 { // a status, and a connection that is reset
		_, _, err = use(t.Context(), session, "search_kb", look)
		r.Expect(err).To(HaveOccurred())
		session = r.connect(t, at["knowledge"])
	}
	text, failed, err := use(t.Context(), session, "search_kb", look)
	r.Expect(err).NotTo(HaveOccurred())
	r.Expect(failed).To(BeFalse())
	r.Expect(text).To(ContainSubstring("within 30 days"))
	text, failed, err = use(t.Context(), session, "delete_record", map[string]any{"id": "r_991"})
	r.Expect(err).NotTo(HaveOccurred())
	r.Expect(failed).To(BeTrue())
	r.Expect(text).To(ContainSubstring(`"code":"permission"`))
	text, failed, err = use(t.Context(), session, "kb_cache", map[string]any{"q": 7})
	r.Expect(err).NotTo(HaveOccurred())
	r.Expect(failed).To(BeTrue(), text)
	// The same tool, the other way.
	status, _ := r.call(http.MethodGet, at["knowledge"]+"/v1/search?q=refund+window", "")
	r.Expect(status).To(Equal(200))

	var tools []*history.Tool
	names := map[string]int{}
	for _, rec := range r.log.Records() {
		if rec.Kind == history.CallSent {
			names[rec.Wire.Operation]++
			if rec.Wire.Operation == "search_kb" {
				r.Expect(rec.Wire.Ordinal).To(Equal(names["search_kb"]))
				tools = append(tools, rec.Facts.Tool)
			}
		}
		if rec.Kind == history.CallReplied && rec.Wire.Operation == "delete_record" {
			r.Expect(rec.Facts.Code).To(Equal("permission"))
		}
		if rec.Kind == history.CallReplied && rec.Wire.Operation == "search_kb" && rec.Wire.Ordinal > 1 {
			r.Expect(rec.Facts.Status).To(Equal("found"))
		}
	}
	t.Log(names)
	r.Expect(names).To(And(HaveKeyWithValue("search_kb", 4), HaveKeyWithValue("kb_cache", 1), HaveKeyWithValue("delete_record", 1), HaveKeyWithValue("list_tools", 1)))
	r.Expect(names).NotTo(HaveKey("unknown"))
	r.Expect(tools).To(HaveLen(4))
	r.Expect(tools[3]).To(Equal(tools[0]), "one call, over MCP and over HTTP")
}
