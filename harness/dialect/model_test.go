package dialect_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/dialect"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// chat reads a request to the model.
func chat(messages string) *history.Facts {
	r := httptest.NewRequest(http.MethodPost, "/v1/chat/completions", nil)
	return dialect.HTTP{}.Request("model", "chat", r, []byte(`{"model":"primary","messages":[`+messages+`]}`))
}

func one(t *testing.T, message string) history.Message {
	t.Helper()
	f := chat(message)
	NewWithT(t).Expect(f.Chat.Messages).To(HaveLen(1), message)
	return f.Chat.Messages[0]
}

func TestWhatTheModelIsCalled(t *testing.T) {
	g := NewWithT(t)
	for target, want := range map[string]string{
		"POST /v1/chat/completions": "chat", "GET /v1/models": "list", "GET /v1/models/primary": "list",
		"GET /v1/chat/completions": "unknown", "POST /v1/embeddings": "unknown",
	} {
		method, path, _ := strings.Cut(target, " ")
		g.Expect(dialect.HTTP{}.Operation("model", httptest.NewRequest(method, path, nil))).To(Equal(want), target)
	}
}

func TestMessagesThatSayTheSameHaveEqualDigests(t *testing.T) {
	g := NewWithT(t)
	same := func(a, b string) { t.Helper(); g.Expect(one(t, a).Digest).To(Equal(one(t, b).Digest)) }
	differ := func(a, b string) { t.Helper(); g.Expect(one(t, a).Digest).NotTo(Equal(one(t, b).Digest)) }
	call := `{"role":"assistant","content":%s,"tool_calls":[{"id":"c","type":"function","function":{"name":"search_kb","arguments":%q}}]}`
	same(fmt.Sprintf(call, "null", `{"q":"a","limit":2}`), fmt.Sprintf(call, `""`, `{"limit": 2, "q": "a"}`))
	differ(fmt.Sprintf(call, "null", `{"q":"a"}`), fmt.Sprintf(call, "null", `{"q":"b"}`))
	same(`{"role":"user","content":"a"}`, `{"role":"user","content":[{"type":"text","text":"a"}],"name":"x"}`)
	differ(`{"role":"user","content":"a"}`, `{"role":"system","content":"a"}`)
	differ(`{"role":"tool","tool_call_id":"1","content":"a"}`, `{"role":"tool","tool_call_id":"2","content":"a"}`)
}

func TestWhatAToolMessageSays(t *testing.T) {
	g := NewWithT(t)
	yes, no, three := true, false, 3
	for content, want := range map[string]*history.Failure{
		`{"error":"Timeout","message":"m","retryable":true,"attempts":3}`:     {Error: "Timeout", Message: true, Retryable: &yes, Attempts: &three},
		`{"error":"NotFound","message":" ","retryable":false,"attempts":3.0}`: {Error: "NotFound", Retryable: &no, Attempts: &three},
		`{"error":"","retryable":"yes","attempts":"3"}`:                       {},
		`{"error":{"code":1}}`:        {Error: `{"code":1}`},
		`{"error":null,"items":[]}`:   nil,
		`{"items":[]}`:                nil,
		`[1]`:                         nil,
		`search_kb failed: a timeout`: nil,
	} {
		m := one(t, fmt.Sprintf(`{"role":"tool","tool_call_id":"c","content":%q}`, content))
		g.Expect(m.Failed).To(Equal(want), content)
		g.Expect(m.CallID).To(Equal("c"))
	}
	g.Expect(one(t, `{"role":"tool","content":" \n"}`).Empty).To(BeTrue())
	g.Expect(one(t, `{"role":"assistant","content":"{\"error\":\"x\"}"}`).Failed).To(BeNil(), "only a tool's message is an error payload")
}

func TestWhatACallAsksFor(t *testing.T) {
	g := NewWithT(t)
	m := one(t, `{"role":"assistant","tool_calls":[
		{"id":"1","function":{"name":"search_kb","arguments":"{\"q\":\"a\"}"}},
		{"id":"2","function":{"name":"search_kb","arguments":"{\"q\":"}},
		{"id":"3","function":{"name":"drop","arguments":"{}"}}]}`)
	g.Expect(m.Calls).To(HaveLen(3))
	g.Expect(m.Calls[0]).To(Equal(history.ToolCall{ID: "1", Name: "search_kb", Arguments: dialect.ContentDigest([]byte(`{"q":"a"}`))}))
	g.Expect(m.Calls[1].Misfit).To(Equal("no JSON"))
	g.Expect(m.Calls[1].Arguments).To(HavePrefix("text:"))
	g.Expect(m.Calls[2].Misfit).To(Equal("there is no such tool"))
}

func TestALongConversationIsBounded(t *testing.T) {
	g := NewWithT(t)
	f := chat(strings.Repeat(`{"role":"user","content":"a"},`, 299) + `{"role":"user","content":"last ` + strings.Repeat("x", 2000) + `"}`)
	g.Expect(f.Chat.Count).To(Equal(300))
	g.Expect(f.Chat.Messages).To(HaveLen(256))
	last := f.Chat.Messages[255].Text
	g.Expect(last).To(HavePrefix("last xxx"))
	g.Expect(len(last)).To(BeNumerically("<", 700))
	g.Expect(f.Malformed).To(BeFalse())
}

func TestARequestThatIsNoConversationIsMalformed(t *testing.T) {
	for _, messages := range []string{`1`, `{"role":1}`, `{"role":"user"},`, `{"role":"assistant","tool_calls":{}}`} {
		NewWithT(t).Expect(chat(messages).Malformed).To(BeTrue(), messages)
	}
}

func TestWhatTheModelAnswers(t *testing.T) {
	g := NewWithT(t)
	reply := func(status int, body string) *history.Facts {
		return dialect.HTTP{}.Reply("model", "chat", status, nil, []byte(body))
	}
	whole := reply(200, `{"model":"primary","choices":[{"message":{"role":"assistant","content":"a b"},"finish_reason":"stop"}]}`)
	g.Expect(whole.Malformed).To(BeFalse())
	g.Expect(whole.Chat.Finish).To(Equal("stop"))
	g.Expect(whole.Chat.Messages[0].Digest).To(Equal(one(t, `{"role":"assistant","content":"a b"}`).Digest))

	const events = "data: {\"model\":\"primary\",\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n" +
		"data: {\"choices\":[{\"delta\":{\"content\":\"a \"}}]}\r\n\r\n: a comment\n\n" + "data:{\"choices\":[{\"delta\":{\"content\":\"b\"}}]}\n\n"
	const end = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[],\"usage\":{}}\n\ndata: [DONE]\n\n"
	streamed := reply(200, events+end)
	g.Expect(streamed.Malformed).To(BeFalse())
	g.Expect(streamed.Chat.Finish).To(Equal("stop"))
	g.Expect(streamed.Chat.Messages).To(Equal(whole.Chat.Messages))

	cut := reply(200, events)
	g.Expect(cut.Malformed).To(BeTrue())
	g.Expect(cut.Chat.Finish).To(BeEmpty())
	g.Expect(cut.Chat.Messages[0].Text).To(Equal("a b"), "what has come of it")

	for _, body := range []string{"", "{}", `{"choices":[]}`, `{"choices":[{}]}`, "<html>", `{"choices":[{"message":`, `"text"`} {
		g.Expect(reply(200, body).Malformed).To(BeTrue(), body)
	}
	g.Expect(reply(429, `{"error":{"message":"m","type":"rate_limit_error","code":"rate_limited"}}`).Code).To(Equal("rate_limited"))
	g.Expect(reply(500, `{"error":{"type":"server_error","code":null}}`).Code).To(Equal("server_error"))
	g.Expect(reply(502, "<html>").Malformed).To(BeTrue())
}
