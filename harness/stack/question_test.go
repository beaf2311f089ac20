package stack_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/harness/stack"
)

const asked = `id: asked
title: The knowledge base fails and the cache answers
covers: [A14]
task: question
faults:
  - at: knowledge.search_kb#1..3 received
    do: {status: {code: 503}}
`

// planned carries out the faults of the scenario.
func planned(t *testing.T) func(*scenario.Compiled, *history.Log) fault.Seam {
	return func(c *scenario.Compiled, log *history.Log) fault.Seam {
		injector := fault.NewInjector(fault.Config{Plan: c.Plan, Limits: c.Limits, Log: log})
		t.Cleanup(func() { injector.Close() })
		return injector
	}
}

// call makes one call and returns its status and its body.
func (r *rig) call(method, url, body string) (int, string) {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	r.Expect(err).NotTo(HaveOccurred())
	reply, err := r.client.Do(request)
	r.Expect(err).NotTo(HaveOccurred())
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	r.Expect(err).NotTo(HaveOccurred())
	return reply.StatusCode, string(text)
}

// said is the assistant's message of an answer.
func (r *rig) said(text string) json.RawMessage {
	var answer struct {
		Choices []struct {
			Message json.RawMessage `json:"message"`
		} `json:"choices"`
	}
	r.Expect(json.Unmarshal([]byte(text), &answer)).To(Succeed(), text)
	return answer.Choices[0].Message
}

func TestAQuestionIsAskedOfTheModelAndItsTools(t *testing.T) {
	r := openText(t, asked, 0.05, nil, planned(t))
	at := r.door(t, "t-1", "w-1")
	r.Expect(at).To(And(HaveKey("knowledge"), HaveKey("model"), HaveKey("desk"), HaveLen(3)))

	conversation := []string{`{"role":"user","content":"What is the refund window?"}`}
	ask := func() string {
		status, text := r.call(http.MethodPost, at["model"]+"/v1/chat/completions", `{"model":"primary","messages":[`+strings.Join(conversation, ",")+`]}`)
		r.Expect(status).To(Equal(200), text)
		said := r.said(text)
		conversation = append(conversation, string(said))
		return string(said)
	}
	r.Expect(ask()).To(ContainSubstring(`"search_kb"`))
	for range 3 {
		status, text := r.call(http.MethodGet, at["knowledge"]+"/v1/search?q=refund+window", "")
		r.Expect(status).To(Equal(503), text)
	}
	conversation = append(conversation, `{"role":"tool","tool_call_id":"call_1_1","content":"{\"error\":\"ServerError\",\"message\":\"503\",\"retryable\":true,\"attempts\":3}"}`)
	r.Expect(ask()).To(ContainSubstring(`"kb_cache"`))
	status, text := r.call(http.MethodGet, at["knowledge"]+"/v1/cache?q=refund+window", "")
	r.Expect(status).To(Equal(200))
	r.Expect(text).To(And(ContainSubstring("14 days"), ContainSubstring(`"as_of":"2026-01-01T00:00:00Z"`)))
	content, _ := json.Marshal(text)
	conversation = append(conversation, `{"role":"tool","tool_call_id":"call_2_1","content":`+string(content)+`}`)
	r.Expect(ask()).To(ContainSubstring("may be stale"))

	var names []string
	var asks, answers []*history.Chat
	var used []*history.Tool
	for _, rec := range r.log.Records() {
		switch {
		case rec.Kind == history.CallSent:
			names = append(names, rec.Wire.Operation)
			if rec.Facts.Tool != nil {
				used = append(used, rec.Facts.Tool)
			}
			if rec.Facts.Chat != nil {
				asks = append(asks, rec.Facts.Chat)
			}
		case rec.Kind == history.CallReplied && rec.Facts.Chat != nil:
			answers = append(answers, rec.Facts.Chat)
		case rec.Kind == history.CallReplied && rec.Wire.Operation == "kb_cache":
			r.Expect(rec.Facts.AsOf).To(Equal("2026-01-01T00:00:00Z"))
			r.Expect(rec.Facts.Status).To(Equal("found"))
		}
	}
	r.Expect(names).To(Equal([]string{"chat", "search_kb", "search_kb", "search_kb", "chat", "kb_cache", "chat"}))
	r.Expect(asks).To(HaveLen(3))
	r.Expect(asks[2].Count).To(Equal(5))
	r.Expect(asks[2].Messages[1].Digest).To(Equal(answers[0].Messages[0].Digest), "the assistant's message, as it was said")
	r.Expect(answers[0].Messages[0].Calls[0].Arguments).To(Equal(used[0].Arguments), "the arguments, as they were asked for")
	r.Expect(answers[0].Finish).To(Equal("tool_calls"))
	failed := asks[1].Messages[2].Failed
	r.Expect(*failed.Attempts).To(Equal(3))
	r.Expect(*failed.Retryable).To(BeTrue())
	r.Expect(asks[2].Messages[4].Failed).To(BeNil())
}

func TestAStreamedAnswerIsReadAsTheWholeOne(t *testing.T) {
	r := openText(t, asked, 0.05, nil, planned(t))
	at := r.door(t, "t-1", "w-1")
	for _, stream := range []string{"false", "true"} {
		status, text := r.call(http.MethodPost, at["model"]+"/v1/chat/completions", `{"model":"primary","stream":`+stream+`,"messages":[{"role":"user","content":"q"}]}`)
		r.Expect(status).To(Equal(200))
		r.Expect(strings.HasSuffix(text, "data: [DONE]\n\n")).To(Equal(stream == "true"))
	}
	var answers []*history.Chat
	for _, rec := range r.log.Records() {
		if rec.Kind == history.CallReplied && rec.Facts != nil {
			r.Expect(rec.Facts.Malformed).To(BeFalse())
			answers = append(answers, rec.Facts.Chat)
		}
	}
	r.Expect(answers).To(HaveLen(2))
	r.Expect(answers[1].Messages).To(Equal(answers[0].Messages))
	r.Expect(answers[1].Finish).To(Equal("tool_calls"))
}

const askedElsewhere = `id: asked-elsewhere
title: The model says what a fault would have it say
covers: [A04]
task: question
given: {knowledge: {denies: [delete_record]}}
faults:
  - at: model.chat#1 received
    do: {malformed: json}
`

func TestTheModelAndTheToolsAreTheSameWhereTheyRunElsewhere(t *testing.T) {
	story := func(ground stack.Ground) []string {
		r := openText(t, askedElsewhere, 0.05, ground, planned(t))
		at := r.door(t, "t-1", "w-1")
		const body = `{"model":"primary","messages":[{"role":"user","content":"q"}]}`
		var told []string
		tell := func(status int, text string) { told = append(told, strconv.Itoa(status)+" "+text) }
		for range 2 {
			status, text := r.call(http.MethodPost, at["model"]+"/v1/chat/completions", body)
			tell(status, string(r.said(text)))
		}
		tell(r.call(http.MethodPost, at["model"]+"/v1/chat/completions", `{"model":"other","messages":[{"role":"user","content":"q"}]}`))
		tell(r.call(http.MethodGet, at["knowledge"]+"/v1/search?q=warranty", ""))
		tell(r.call(http.MethodDelete, at["knowledge"]+"/v1/records/r_991", ""))
		tell(r.call(http.MethodPost, at["knowledge"]+"/v1/records/r_104/archive", ""))
		r.Eventually(r.stack.Quiet, time.Minute).Should(BeTrue())
		r.Expect(r.stack.Close(context.Background())).To(Succeed())
		told = append(told, strings.Join(r.stack.Ledger().Knowledge.Archived, " "))
		for _, rec := range r.log.Records() {
			if rec.Kind == history.LedgerRow || rec.Kind == history.FaultFired || rec.Kind == history.FaultFailed {
				told = append(told, string(rec.Kind)+" "+rec.Call)
			}
		}
		return told
	}
	here := story(nil)
	NewWithT(t).Expect(here).To(HaveLen(9))
	NewWithT(t).Expect(here[0]).To(ContainSubstring("extra_1_1"))
	NewWithT(t).Expect(story(newApart(t))).To(Equal(here))
}
