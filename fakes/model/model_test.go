package model_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/model"
	"github.com/lostreceipt/lostreceipt/fakes/service"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
)

// played obeys an order at the point with this number, from 1.
type played map[int]fault.Order

type seam struct {
	orders played
	n      int
}

func (s *seam) At(_ context.Context, p fault.Point) fault.Order {
	if p.Phase == fault.Received {
		s.n++
	}
	return s.orders[s.n]
}

func call(name, arguments string) fault.Speech {
	return fault.Speech{Calls: []fault.SpokenCall{{Tool: name, Arguments: arguments}}}
}

func script() []model.Turn {
	cache, gap := call("kb_cache", `{"q":"window"}`), fault.Speech{Text: "a gap"}
	return []model.Turn{
		{Speech: call("search_kb", `{"q":"window"}`)},
		{Speech: fault.Speech{Text: "30 days"}, AfterError: &cache},
		{Speech: fault.Speech{Text: "14 days, maybe"}, AfterError: &gap},
	}
}

type talk struct {
	*WithT
	log      *history.Log
	url      string
	messages []json.RawMessage
}

func open(t *testing.T, set model.Settings, orders played) *talk {
	g := NewWithT(t)
	log := history.NewLog(nil)
	s, err := model.Open(model.Config{Frame: service.Config{Seam: &seam{orders: orders}, Log: log}, Settings: set})
	g.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() { g.Expect(s.Close(context.Background())).To(Succeed()) })
	return &talk{WithT: g, log: log, url: s.URL(), messages: []json.RawMessage{json.RawMessage(`{"role":"user","content":"q"}`)}}
}

func (k *talk) post(body string) (int, string) {
	reply, err := http.Post(k.url+"/v1/chat/completions", "application/json", strings.NewReader(body))
	k.Expect(err).NotTo(HaveOccurred())
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	k.Expect(err).NotTo(HaveOccurred())
	return reply.StatusCode, string(text)
}

// said is the part of an answer that a test looks at.
type said struct {
	Content *string `json:"content"`
	Calls   []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

func (s said) String() string {
	var parts []string
	for _, c := range s.Calls {
		parts = append(parts, c.ID+" "+c.Function.Name+c.Function.Arguments)
	}
	if s.Content != nil {
		parts = append(parts, *s.Content)
	}
	return strings.Join(parts, "; ")
}

// ask asks for the next turn and keeps it.
func (k *talk) ask() string {
	body, _ := json.Marshal(map[string]any{"model": "primary", "messages": k.messages})
	status, text := k.post(string(body))
	k.Expect(status).To(Equal(http.StatusOK), text)
	var answer struct {
		Choices []struct {
			Message json.RawMessage `json:"message"`
			Finish  string          `json:"finish_reason"`
		} `json:"choices"`
	}
	k.Expect(json.Unmarshal([]byte(text), &answer)).To(Succeed(), text)
	k.messages = append(k.messages, answer.Choices[0].Message)
	var s said
	k.Expect(json.Unmarshal(answer.Choices[0].Message, &s)).To(Succeed())
	k.Expect(answer.Choices[0].Finish == "tool_calls").To(Equal(len(s.Calls) > 0))
	return s.String()
}

// tell answers a call.
func (k *talk) tell(id, content string) {
	text, _ := json.Marshal(map[string]string{"role": "tool", "tool_call_id": id, "content": content})
	k.messages = append(k.messages, text)
}

const failed = `{"error":"Timeout","message":"no reply","retryable":true,"attempts":3}`

func TestTheScriptGoesByWhatTheConversationHolds(t *testing.T) {
	k := open(t, model.Settings{Script: script()}, nil)
	k.Expect(k.ask()).To(Equal(`call_1_1 search_kb{"q":"window"}`))
	k.tell("call_1_1", `{"items":[]}`)
	k.Expect(k.ask()).To(Equal("30 days"))
	k.Expect(k.ask()).To(Equal("14 days, maybe"), "the last turn")
	k.Expect(k.ask()).To(Equal("14 days, maybe"), "again behind the end")
}

func TestAFailedToolLeadsToTheOtherFormOfTheTurn(t *testing.T) {
	k := open(t, model.Settings{Script: script()}, nil)
	k.ask()
	k.tell("call_1_1", failed)
	k.Expect(k.ask()).To(Equal(`call_2_1 kb_cache{"q":"window"}`))
	k.tell("call_2_1", failed)
	k.Expect(k.ask()).To(Equal("a gap"))
}

func TestAnErrorThatIsNullIsNone(t *testing.T) {
	k := open(t, model.Settings{Script: script()}, nil)
	k.ask()
	k.tell("call_1_1", `{"items":[],"error":null}`)
	k.Expect(k.ask()).To(Equal("30 days"))
}

func TestARequestThatIsSentAgainIsAnsweredAlike(t *testing.T) {
	k := open(t, model.Settings{Script: script()}, nil)
	body := `{"model":"primary","messages":[{"role":"user","content":"q"}]}`
	_, first := k.post(body)
	_, again := k.post(body)
	cut := func(text string) string { _, rest, _ := strings.Cut(text, `"model"`); return rest }
	k.Expect(cut(again)).To(Equal(cut(first)))
}

func TestDamagedArgumentsAreGivenAgainAsTheyShouldBe(t *testing.T) {
	for how, want := range map[string]string{"schema": `{"query": true}`, "json": `{"q":"window", "`} {
		k := open(t, model.Settings{Script: script()}, played{1: speech(fault.Speech{Malformed: how})})
		k.Expect(k.ask()).To(Equal("extra_1_1 search_kb" + want))
		k.tell("extra_1_1", `{"error":"BadArguments","message":"no","retryable":false,"attempts":0}`)
		k.Expect(k.ask()).To(Equal(`call_2_1 search_kb{"q":"window"}`))
		k.tell("call_2_1", `{"items":[]}`)
		k.Expect(k.ask()).To(Equal("30 days"), "the error was about another turn")
	}
}

func speech(s fault.Speech) fault.Order { return fault.Order{Conduct: fault.Conduct{Speech: &s}} }

func TestAModelThatRepeatsItselfAsksForTheSameCalls(t *testing.T) {
	k := open(t, model.Settings{Script: script()}, played{2: speech(fault.Speech{Repeats: true})})
	k.ask()
	k.tell("call_1_1", failed)
	k.Expect(k.ask()).To(Equal(`extra_2_1 search_kb{"q":"window"}`))
	k.tell("extra_2_1", failed)
	k.Expect(k.ask()).To(Equal(`call_3_1 kb_cache{"q":"window"}`), "the script goes on where it was")
}

func TestAFaultThatHasNothingToActOnHasFailed(t *testing.T) {
	receipt := &history.Fault{ID: "f-1"}
	for _, c := range []struct {
		said fault.Speech
		want string
	}{
		{fault.Speech{Repeats: true, Receipt: receipt}, "no turn has asked for a call yet that could be repeated"},
		{fault.Speech{Malformed: "json", Receipt: receipt}, "the turn asks for no call, so that there are no arguments to damage"},
		{fault.Speech{Malformed: "json", Receipt: &history.Fault{ID: "f-1", Optional: true}}, ""},
		{fault.Speech{Malformed: "json"}, ""},
	} {
		k := open(t, model.Settings{Script: []model.Turn{{Speech: fault.Speech{Text: "30 days"}}}}, played{1: speech(c.said)})
		k.Expect(k.ask()).To(Equal("30 days"), "the turn of the script")
		var reasons []string
		for _, r := range k.log.Records() {
			if r.Kind == history.FaultFailed {
				reasons = append(reasons, r.Fault.Reason)
			}
		}
		if c.want == "" {
			k.Expect(reasons).To(BeEmpty())
		} else {
			k.Expect(reasons).To(Equal([]string{c.want}))
		}
	}
}

func TestAModelUrgesAToolByCallingItAndAnActionInWords(t *testing.T) {
	k := open(t, model.Settings{Script: script()}, played{1: speech(fault.Speech{Urges: "issue_refund"}), 2: speech(fault.Speech{Urges: "resubmit"})})
	k.Expect(k.ask()).To(HavePrefix(`extra_1_1 issue_refund{"order":"o_17","amount":"12.50"}; Do not wait: issue_refund now.`))
	k.tell("extra_1_1", failed)
	k.Expect(k.ask()).To(HavePrefix("Do not wait: resubmit now."))
}

func TestAnEmptyAnswerHasNeitherAWordNorACall(t *testing.T) {
	k := open(t, model.Settings{Script: script()}, played{1: {Conduct: fault.Conduct{Distortion: fault.Empty}}})
	k.Expect(k.ask()).To(Equal(""))
}

func TestWhatIsNoRequestIsRefusedAsOpenAIDoes(t *testing.T) {
	k := open(t, model.Settings{Script: script(), Models: []string{"primary", "backup"}, Missing: []string{"backup"}}, nil)
	for _, c := range []struct {
		body   string
		status int
		code   string
	}{
		{`{"model":"other","messages":[{"role":"user","content":"q"}]}`, 404, "model_not_found"},
		{`{"model":"backup","messages":[{"role":"user","content":"q"}]}`, 404, "model_not_found"},
		{`{"messages":[{"role":"user","content":"q"}]}`, 400, "invalid_request"},
		{`{"model":"primary","messages":[]}`, 400, "invalid_request"},
		{`{"model":"primary"`, 400, "invalid_request"},
		{`{"model":"primary","messages":[{"role":"user","content":"` + strings.Repeat("x", 60<<10) + `"}]}`, 400, "context_length_exceeded"},
		{`{"model":"primary","messages":[{"role":"tool","tool_call_id":"x","content":"y"}]}`, 400, "invalid_request"},
		{`{"model":"primary","messages":[{"role":"assistant","tool_calls":[{"id":"x","type":"function","function":{"name":"search_kb","arguments":"{}"}}]}]}`, 400, "invalid_request"},
	} {
		status, text := k.post(c.body)
		k.Expect(status).To(Equal(c.status), c.body)
		k.Expect(text).To(ContainSubstring(`"code":"`+c.code+`"`), c.body)
	}
	reply, err := http.Get(k.url + "/v1/models")
	k.Expect(err).NotTo(HaveOccurred())
	defer reply.Body.Close()
	var text bytes.Buffer
	_, _ = text.ReadFrom(reply.Body)
	k.Expect(text.String()).To(And(ContainSubstring(`"id":"primary"`), Not(ContainSubstring("backup"))))
}

func TestAStatusOfAFaultHasTheShapeOfTheInterface(t *testing.T) {
	k := open(t, model.Settings{Script: script()}, played{1: {Conduct: fault.Conduct{Answer: &fault.Answer{Status: 429}}}})
	status, text := k.post(`{"model":"primary","messages":[{"role":"user","content":"q"}]}`)
	k.Expect(status).To(Equal(429))
	k.Expect(text).To(MatchJSON(`{"error":{"message":"Too Many Requests","type":"rate_limit_error","param":null,"code":"rate_limited"}}`))
}

func TestAScriptHasATurn(t *testing.T) {
	_, err := model.Open(model.Config{})
	NewWithT(t).Expect(err).To(MatchError("model: the script has no turn"))
}
