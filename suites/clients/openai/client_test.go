package openai_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	. "github.com/onsi/gomega"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/history"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/harness/stack"
)

const asked = `id: asked
title: A question
covers: [A14]
task: question
`

// rig is a stack whose faults are those of a scenario.
type rig struct {
	*WithT
	log    *history.Log
	stack  *stack.Stack
	client *http.Client
}

func open(t *testing.T, text string) *rig {
	t.Helper()
	r := &rig{WithT: NewWithT(t), log: history.NewLog(nil), client: &http.Client{Transport: &http.Transport{}}}
	parsed, err := scenario.Parse("asked.yaml", []byte(text), scenario.Options{})
	r.Expect(err).NotTo(HaveOccurred())
	compiled, err := parsed.Compile(contract.Defaults().Scale(0.05))
	r.Expect(err).NotTo(HaveOccurred())
	injector := fault.NewInjector(fault.Config{Plan: compiled.Plan, Limits: compiled.Limits, Log: r.log})
	r.stack, err = stack.Open(t.Context(), stack.Config{Log: r.log, Scenario: compiled, Seam: injector})
	r.Expect(err).NotTo(HaveOccurred())
	t.Cleanup(func() {
		r.client.CloseIdleConnections()
		injector.Close()
		r.Expect(r.stack.Close(context.Background())).To(Succeed())
	})
	return r
}

// official is OpenAI's own client at the door of a task.
func (r *rig) official(t *testing.T, retries int) openai.Client {
	at, err := r.stack.Door(t.Context(), "t-1", "w-1")
	r.Expect(err).NotTo(HaveOccurred())
	return openai.NewClient(
		option.WithBaseURL(at["model"]+"/v1"), option.WithAPIKey("any"), option.WithHTTPClient(r.client), option.WithMaxRetries(retries),
	)
}

func question(model string, more ...openai.ChatCompletionMessageParamUnion) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model:    model,
		Messages: append([]openai.ChatCompletionMessageParamUnion{openai.UserMessage("What is the refund window?")}, more...),
	}
}

func TestTheOfficialClientHoldsAConversation(t *testing.T) {
	r := open(t, asked)
	client := r.official(t, 0)
	first, err := client.Chat.Completions.New(t.Context(), question("primary"))
	r.Expect(err).NotTo(HaveOccurred())
	said := first.Choices[0].Message
	r.Expect(said.ToolCalls).To(HaveLen(1))
	r.Expect(said.ToolCalls[0].Function.Name).To(Equal("search_kb"))
	r.Expect(said.ToolCalls[0].Function.Arguments).To(MatchJSON(`{"q":"refund window"}`))
	r.Expect(first.Choices[0].FinishReason).To(Equal("tool_calls"))

	second := client.Chat.Completions.NewStreaming(t.Context(), openai.ChatCompletionNewParams{
		Model: "primary", StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
		Messages: question("primary", said.ToParam(), openai.ToolMessage(`{"items":[]}`, said.ToolCalls[0].ID)).Messages,
	})
	var whole openai.ChatCompletionAccumulator
	for second.Next() {
		r.Expect(whole.AddChunk(second.Current())).To(BeTrue())
	}
	r.Expect(second.Err()).NotTo(HaveOccurred())
	r.Expect(whole.Choices[0].Message.Content).To(Equal("Goods can be returned for a refund within 30 days of delivery."))
	r.Expect(whole.Usage.TotalTokens).To(BeNumerically(">", 10))

	var asks, answers []*history.Chat
	for _, rec := range r.log.Records() {
		switch {
		case rec.Kind == history.CallSent:
			asks = append(asks, rec.Facts.Chat)
		case rec.Kind == history.CallReplied && rec.Facts != nil:
			answers = append(answers, rec.Facts.Chat)
		}
	}
	r.Expect(asks).To(HaveLen(2))
	r.Expect(asks[1].Messages[1].Digest).To(Equal(answers[0].Messages[0].Digest), "the client says the assistant's message as it was")
	r.Expect(answers[1].Messages[0].Text).To(Equal(whole.Choices[0].Message.Content))

	models, err := client.Models.List(t.Context())
	r.Expect(err).NotTo(HaveOccurred())
	r.Expect(models.Data).To(HaveLen(2))
	_, err = client.Chat.Completions.New(t.Context(), question("gpt-0"))
	var refused *openai.Error
	r.Expect(err).To(BeAssignableToTypeOf(refused))
	r.Expect(err.(*openai.Error).Code).To(Equal("model_not_found"))
}

func TestTheOfficialClientStreamsCallsOfTools(t *testing.T) {
	r := open(t, asked)
	client := r.official(t, 0)
	stream := client.Chat.Completions.NewStreaming(t.Context(), question("primary"))
	var whole openai.ChatCompletionAccumulator
	finished := false
	for stream.Next() {
		whole.AddChunk(stream.Current())
		if call, ok := whole.JustFinishedToolCall(); ok {
			finished = true
			r.Expect(call.Name).To(Equal("search_kb"))
			r.Expect(call.Arguments).To(MatchJSON(`{"q":"refund window"}`))
		}
	}
	r.Expect(stream.Err()).NotTo(HaveOccurred())
	r.Expect(finished).To(BeTrue())
}

const faultyModel = `id: faulty-model
title: The model fails in its own ways
covers: [A15]
task: question
faults:
  - at: model.chat#1 received
    do: {status: {code: 429, retry_after: 1 backoff_base}}
  - at: model.chat#2 received
    do: {status: {code: 503}}
  - at: model.chat#3 received
    do: {reply: empty}
  - at: model.chat#4 replied
    do: {truncate: {chunk: 3}}
  - at: model.chat#5 received
    do: {malformed: json}
  - at: model.chat#6 replied
    do: reset
`

func TestTheOfficialClientMeetsTheModelsFaults(t *testing.T) {
	r := open(t, faultyModel)
	client := r.official(t, 2)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	// It sends again by itself, twice: a rate limit, an error, and an answer that says nothing.
	empty, err := client.Chat.Completions.New(ctx, question("primary"))
	r.Expect(err).NotTo(HaveOccurred())
	r.Expect(empty.Choices[0].Message.Content).To(BeEmpty())
	r.Expect(empty.Choices[0].Message.ToolCalls).To(BeEmpty())

	cut := client.Chat.Completions.NewStreaming(ctx, question("primary"))
	for cut.Next() {
		r.Expect(cut.Current().Choices).NotTo(BeEmpty())
	}
	r.Expect(cut.Err()).To(HaveOccurred(), "the stream broke off")

	once := r.official(t, 0)
	damaged, err := once.Chat.Completions.New(ctx, question("primary"))
	r.Expect(err).NotTo(HaveOccurred())
	r.Expect(damaged.Choices[0].Message.ToolCalls[0].Function.Arguments).To(Equal(`{"q":"refund window", "`))
	_, err = once.Chat.Completions.New(ctx, question("primary"))
	r.Expect(err).To(HaveOccurred(), "the connection was reset")

	var statuses []int
	fired := 0
	for _, rec := range r.log.Records() {
		if rec.Kind == history.CallReplied && rec.Facts != nil {
			statuses = append(statuses, rec.Wire.Status)
		}
		if rec.Kind == history.FaultFired {
			fired++
		}
		if rec.Kind == history.CallReplied && rec.Wire.Ordinal == 1 {
			r.Expect(rec.Wire.RetryAfter).To(BeNumerically(">", 0))
		}
	}
	r.Expect(statuses).To(Equal([]int{http.StatusTooManyRequests, http.StatusServiceUnavailable, 200, 200, 200, 200}))
	r.Expect(fired).To(Equal(6))
}
