package scenario

import (
	"encoding/json"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/fault"
)

const question = "id: a\ntitle: b\ncovers: [A14]\n"

func parsed(t *testing.T, text string) *Scenario {
	t.Helper()
	s, err := Parse("x.yaml", []byte(text), Options{})
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	return s
}

func TestAQuestionOfWhichNothingIsSaidHasTheDefaults(t *testing.T) {
	g := NewWithT(t)
	s := parsed(t, question+"task: question\n")
	g.Expect(s.Tasks).To(Equal([]Task{{ID: "t-1", Type: "question", Tenant: "acme", Object: "po-17", Asked: DefaultAsked()}}))
	g.Expect(s.Needs).To(Equal([]string{"model_loop"}))
	c, err := s.Compile(contract.Defaults())
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(c.Services.Model.Script).To(Equal(DefaultScript()))
	g.Expect(c.Guarantees).To(BeEmpty())
	g.Expect(c.Services.Model.Models).To(Equal([]string{"backup", "primary"}))
	var in struct {
		Prompt string
		Tools  []struct {
			Function struct {
				Name       string
				Parameters struct{ Required []string }
			}
		}
		Fallback map[string][]string
		Models   []string
	}
	g.Expect(json.Unmarshal(c.Tasks[0].Input(), &in)).To(Succeed())
	g.Expect(in.Prompt).To(Equal("What is the refund window?"))
	g.Expect(in.Tools).To(HaveLen(7))
	g.Expect(in.Tools[0].Function.Name).To(Equal("search_kb"))
	g.Expect(in.Tools[0].Function.Parameters.Required).To(Equal([]string{"q"}))
	g.Expect(in.Fallback).To(Equal(map[string][]string{"search_kb": {"kb_cache", "answer_with_gap"}}))
	g.Expect(in.Models).To(Equal([]string{"primary", "backup"}))
}

func TestAQuestionIsReadAsItIsWritten(t *testing.T) {
	g := NewWithT(t)
	s := parsed(t, question+`task:
  type: question
  prompt: What is it?
  tools: [search_kb, kb_cache, kb_archive]
  fallback: {search_kb: [kb_cache, kb_archive, human]}
  models: [big, small]
  steps: [look, answer]
given:
  knowledge: {denies: [kb_archive], refuses: [search_kb]}
  model:
    missing: [big]
    script:
      - calls: [{tool: search_kb, arguments: {q: "7", limit: 7}}, {tool: kb_cache, raw: '{"q'}]
      - {say: yes it is, after_error: {repeats: true}}
      - urges: issue_refund
`)
	g.Expect(s.Tasks[0].Asked).To(Equal(Asked{
		Prompt: "What is it?", Tools: []string{"search_kb", "kb_cache", "kb_archive"},
		Fallback: map[string][]string{"search_kb": {"kb_cache", "kb_archive", "human"}}, Models: []string{"big", "small"}, Steps: []string{"look", "answer"},
	}))
	g.Expect(s.Given.Model.Script).To(Equal([]Turn{
		{Speech: fault.Speech{Calls: []fault.SpokenCall{{Tool: "search_kb", Arguments: `{"q":"7","limit":7}`}, {Tool: "kb_cache", Arguments: `{"q`}}}},
		{Speech: fault.Speech{Text: "yes it is"}, AfterError: &fault.Speech{Repeats: true}},
		{Speech: fault.Speech{Urges: "issue_refund"}},
	}))
	g.Expect(s.Given.Knowledge).To(Equal(KnowledgeGiven{Denies: []string{"kb_archive"}, Refuses: []string{"search_kb"}}))
	g.Expect(s.subject(contract.Defaults(), nil).Opens).To(Equal(map[string]int{"knowledge.search_kb": 1, "model.chat": 2}), "arguments that do not fit are never sent")
}

func TestChainsThatTheToolsDoNotAllowAreNoDefault(t *testing.T) {
	s := parsed(t, question+"task: {type: question, tools: [search_kb]}\n")
	NewWithT(t).Expect(s.Tasks[0].Asked.Fallback).To(BeEmpty())
}

func TestAQuestionThatIsWrongSaysWhatIsRight(t *testing.T) {
	for text, want := range map[string]string{
		"task: {type: question, tools: [serch_kb]}\n":                                                               `x.yaml:4:32: unknown tool "serch_kb" (did you mean "search_kb"?)`,
		"task: {type: question, tools: []}\n":                                                                       "x.yaml:4:31: the list of tools is empty: a question is answered with tools",
		"task: {type: question, tools: [search_kb, search_kb]}\n":                                                   `x.yaml:4:31: "search_kb" stands here twice`,
		"task: {type: question, prompt: ' '}\n":                                                                     "x.yaml:4:32: the prompt is empty: what is asked?",
		"task: {type: question, models: []}\n":                                                                      "x.yaml:4:32: the list of models is empty",
		"task: {type: question, content: {a: 1}}\n":                                                                 `x.yaml:4:24: unknown field "content": the fields here are id, type, tenant, object, prompt, tools, fallback, models, steps`,
		"task: {type: purchase-approval, prompt: a}\n":                                                              `x.yaml:4:33: unknown field "prompt"`,
		"task: {type: question, fallback: {search_kb: [kb_cache]}}\n":                                               "x.yaml:4:47: a chain ends in one of answer_with_gap, human, not in a tool",
		"task: {type: question, fallback: {search_kb: []}}\n":                                                       "x.yaml:4:46: the chain is empty: it has at least an end, one of answer_with_gap, human",
		"task: {type: question, fallback: {search_kb: [human, kb_cache, human]}}\n":                                 "x.yaml:4:47: human ends a chain: nothing stands behind it",
		"task: {type: question, fallback: {search_kb: [search_kb, human]}}\n":                                       "x.yaml:4:47: search_kb stands in this chain before",
		"task: {type: question, fallback: {serch_kb: [human]}}\n":                                                   `x.yaml:4:35: unknown field "serch_kb" (did you mean "search_kb"?)`,
		"task: {type: question, tools: [search_kb], fallback: {search_kb: [kb_cache, human]}}\n":                    "x.yaml:4:67: kb_cache is not offered: add it to tools:",
		"task: {type: question, tools: [search_kb], fallback: {kb_cache: [human]}}\n":                               "x.yaml:4:65: kb_cache has a chain and is not offered: add it to tools:",
		"task: {type: question, tools: [search_kb]}\ngiven: {knowledge: {denies: [kb_cache]}}\n":                    "x.yaml:5:30: kb_cache is not offered by any task: add it to tools:",
		"task: question\ngiven: {model: {missing: [primry]}}\n":                                                     `x.yaml:5:27: unknown model "primry" (did you mean "primary"?)`,
		"task: question\ngiven: {model: {script: []}}\n":                                                            "x.yaml:5:25: the script is empty: write at least one turn",
		"task: question\ngiven: {model: {script: [search_kb]}}\n":                                                   "x.yaml:5:26: this takes a turn, such as {call: {tool: search_kb, arguments: {q: refund window}}}, or {say: a text}",
		"task: question\ngiven: {model: {script: [{say: a, after_eror: {say: b}}]}}\n":                              `x.yaml:5:35: unknown field "after_eror" (did you mean "after_error"?)`,
		"task: question\ngiven: {model: {script: [{say: a, after_error: b}]}}\n":                                    "x.yaml:5:48: this takes a turn, such as {call: {tool: kb_cache, arguments: {q: refund window}}}",
		"task: question\ngiven: {assistant: model}\n":                                                               "x.yaml:5:20: an assistant stands beside a purchase, and there is none here",
		"task: purchase-approval\ngiven: {model: {missing: [primary]}}\n":                                           "x.yaml:5:16: nobody talks to the model here: it belongs to a question, or to assistant: model",
		"task: purchase-approval\ngiven: {knowledge: {denies: [search_kb]}}\n":                                      "x.yaml:5:20: nobody calls a tool here: it belongs to a question",
		"task: question\nfaults: [{at: approval.submit#1 sent, do: reset}]\n":                                       `x.yaml:5:15: "approval.submit#1 sent" is never reached: no task here is given the service approval`,
		"task: purchase-approval\nfaults: [{at: model.chat#1 sent, do: reset}]\n":                                   `x.yaml:5:15: "model.chat#1 sent" is never reached: no task here is given the service model`,
		"task: question\nfaults: [{at: knowledge.kb_cache#1 sent, do: reset}]\n":                                    "or a call that every agent makes here (knowledge.search_kb#1, model.chat#1 to #2)",
		"task: question\nfaults: [{at: model.chat#1 sent, do: {revise: {a: 1}}}]\n":                                 "x.yaml:5:38: revise concerns what a person confirmed, and a question has no confirmation",
		"task: question\ngiven: {model: {script: [{call: {tool: search_kb, arguments: {q: 007}}}]}}\n":              `x.yaml:5:66: 007 has a leading zero`,
		"task: question\ngiven: {model: {script: [{say: a, urges: resubmit, repeats: true}]}}\n":                    "x.yaml:5:26: a turn calls, repeats, or urges: one of these",
		"task: question\ngiven: {model: {script: [{call: {tool: search_kb}, repeats: false}]}}\n":                   "a turn that does not repeat leaves it out",
		"tasks: [{id: a, type: question}, {id: b, type: question}]\nfaults: [{at: model.chat#1 sent, do: reset}]\n": `there are several tasks (a, b): say which one "model.chat#1 sent" is about`,
	} {
		t.Run(want, func(t *testing.T) {
			_, err := Parse("x.yaml", []byte(question+text), Options{})
			NewWithT(t).Expect(err).To(MatchError(ContainSubstring(want)), text)
		})
	}
}

func TestAnAdviserIsNamedToThosePurchases(t *testing.T) {
	g := NewWithT(t)
	s := parsed(t, question+"task: purchase-approval\ngiven: {assistant: model}\nfaults: [{at: approval.submit#1 replied, do: reset}, {at: model.chat#1 received, do: {urges: resubmit}, optional: true}]\n")
	g.Expect(string(s.Tasks[0].Input())).To(Equal(`{"adviser":{"endpoint":"model","models":["primary","backup"]}}`))
	g.Expect(s.Tasks[0].Services()).To(Equal([]string{"approval", "purchase", "desk", "model"}))
	g.Expect(s.Given.Model.Script).To(Equal(AdviserScript()))
	plain := parsed(t, question+"task: purchase-approval\n")
	g.Expect(plain.Tasks[0].Input()).To(BeNil())
	g.Expect(plain.Tasks[0].Services()).To(Equal([]string{"approval", "purchase", "desk"}))
}

func TestWhatOnlyMCPHasNeedsAnAgentThatSpeaksIt(t *testing.T) {
	s := parsed(t, question+"task: question\nfaults: [{at: model.chat#1 sent, do: reset}, {at: knowledge.list_tools#1 replied, do: reset}]\n")
	NewWithT(t).Expect(s.Needs).To(Equal([]string{"mcp", "model_loop"}))
}

func TestAQuestionIsExplainedInWords(t *testing.T) {
	text := Explain(parsed(t, question+`task: {type: question, steps: [look]}
given: {knowledge: {denies: [delete_record]}, model: {missing: [backup]}}
faults:
  - at: knowledge.search_kb#1..3 sent
    do: hang
  - at: model.chat#2 received
    do: repeats
    optional: true
`))
	for _, line := range strings.Split(`  t-1: a question: What is the refund window?
    tools search_kb, kb_cache, kb_archive, search_web, delete_record, archive_record, issue_refund; models primary, then backup
    when search_kb fails: kb_cache, then answer_with_gap
    step 1: look
  In its turn 1 the model asks for search_kb({"q":"refund window"}).
  In its turn 2 the model says "Goods can be returned for a refund within 30 days of delivery."; after an error it asks for kb_cache({"q":"refund window"}).
  There is no model backup.
  Nobody here may call delete_record.
  2. When the service has the second model.chat and has done nothing: the model asks for the same calls again. Some correct designs never get there.`, "\n") {
		NewWithT(t).Expect(text).To(ContainSubstring(line + "\n"))
	}
	NewWithT(t).Expect(text).NotTo(ContainSubstring("approval.submit"))
}
