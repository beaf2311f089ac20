package scenario

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/tool"
)

// Asked is what a question asks, and what may be used to answer it.
type Asked struct {
	_ struct{}

	Prompt string
	Tools  []string // that are offered to the model
	// Fallback are the chains of tools, in order: other tools, and last one of [ChainEnds].
	Fallback map[string][]string
	Models   []string // in the order in which they are asked
	Steps    []string // the plan, for people
}

// What a chain of tools can end in.
const (
	AnswerWithGap = "answer_with_gap" // answer, and say what is missing
	Human         = "human"           // hand over
)

// ChainEnds are the ends of a chain of tools.
func ChainEnds() []string { return []string{AnswerWithGap, Human} }

// DefaultAsked is a question of which nothing is said.
func DefaultAsked() Asked {
	return Asked{
		Prompt: "What is the refund window?", Tools: tool.Names(),
		Fallback: map[string][]string{"search_kb": {"kb_cache", AnswerWithGap}}, Models: DefaultModels(),
	}
}

// DefaultModels are the names that the model answers to.
func DefaultModels() []string { return []string{"primary", "backup"} }

// Services are the services that the task's agent is given.
func (t Task) Services() []string {
	var names []string
	if t.Type == Question {
		names = []string{"knowledge", "model", "desk"}
	} else {
		names = []string{"approval", "purchase", "desk"}
		if t.Adviser {
			names = append(names, "model")
		}
	}
	return names
}

// input is that of a task as the agent protocol writes it.
type input struct {
	Prompt   string              `json:"prompt,omitempty"`
	Tools    []json.RawMessage   `json:"tools,omitempty"`
	Fallback map[string][]string `json:"fallback,omitempty"`
	Models   []string            `json:"models,omitempty"`
	Steps    []string            `json:"steps,omitempty"`
	Adviser  *adviser            `json:"adviser,omitempty"`
}

type adviser struct {
	Endpoint string   `json:"endpoint"`
	Models   []string `json:"models"`
}

// Input is the task's input as the agent protocol writes it; nil when it has none.
func (t Task) Input() json.RawMessage {
	var in input
	switch {
	case t.Type == Question:
		in = input{Prompt: t.Asked.Prompt, Fallback: t.Asked.Fallback, Models: t.Asked.Models, Steps: t.Asked.Steps}
		for _, name := range t.Asked.Tools {
			if found, ok := tool.Find(name); ok {
				in.Tools = append(in.Tools, found.Function())
			}
		}
	case t.Adviser:
		in = input{Adviser: &adviser{"model", DefaultModels()}}
	default:
		return nil
	}
	text, _ := json.Marshal(in) // texts, and JSON of the tools
	return text
}

// readAsked reads what a question asks, over the defaults.
func readAsked(r *fault.Reader) Asked {
	a := DefaultAsked()
	set(&a.Prompt, r.Field("prompt").Text())
	if p := r.Field("prompt"); p.Present() && strings.TrimSpace(p.Text()) == "" {
		p.Complain("the prompt is empty: what is asked?")
	}
	tools := r.Field("tools")
	if tools.Present() {
		a.Tools = distinct(tools, tools.Words("tool", tool.Names()))
		if tools.Written().Shape == fault.List && len(tools.Written().Items) == 0 {
			tools.Complain("the list of tools is empty: a question is answered with tools")
		}
	}
	models := r.Field("models")
	if models.Present() {
		a.Models = distinct(models, models.Texts("primary"))
		if models.Written().Shape == fault.List && len(a.Models) == 0 {
			models.Complain("the list of models is empty")
		}
	}
	if steps := r.Field("steps"); steps.Present() {
		a.Steps = steps.Texts("look up the window")
	}
	fallback := r.Field("fallback")
	switch {
	case !fallback.Present():
		a.Fallback = within(a.Fallback, a.Tools)
	case fallback.Fields(tool.Names()...):
		a.Fallback = map[string][]string{}
		for _, name := range tool.Names() {
			if f := fallback.Field(name); f.Present() {
				a.Fallback[name] = readChain(f, name, a.Tools)
			}
		}
	}
	return a
}

// within are the default chains that the tools allow.
func within(chains map[string][]string, tools []string) map[string][]string {
	kept := map[string][]string{}
	for name, chain := range chains {
		offered := func(link string) bool { return slices.Contains(tools, link) || slices.Contains(ChainEnds(), link) }
		if offered(name) && !slices.ContainsFunc(chain, func(link string) bool { return !offered(link) }) {
			kept[name] = chain
		}
	}
	return kept
}

// readChain reads the chain of one tool.
func readChain(r *fault.Reader, name string, tools []string) []string {
	if !slices.Contains(tools, name) {
		r.Complain("%s has a chain and is not offered: add it to tools:", name)
	}
	var chain []string
	items := r.Items("kb_cache, answer_with_gap")
	for i, item := range items {
		link := item.OneOf("tool or end of a chain", append(tool.Names(), ChainEnds()...))
		end := slices.Contains(ChainEnds(), link)
		switch {
		case link == "":
		case i == len(items)-1 && !end:
			item.Complain("a chain ends in one of %s, not in a tool", strings.Join(ChainEnds(), ", "))
		case i < len(items)-1 && end:
			item.Complain("%s ends a chain: nothing stands behind it", link)
		case !end && !slices.Contains(tools, link):
			item.Complain("%s is not offered: add it to tools:", link)
		case link == name || slices.Contains(chain, link):
			item.Complain("%s stands in this chain before", link)
		}
		chain = append(chain, link)
	}
	if len(items) == 0 && r.Written().Shape == fault.List {
		r.Complain("the chain is empty: it has at least an end, one of %s", strings.Join(ChainEnds(), ", "))
	}
	return chain
}

// distinct complains about a word that stands in a list twice.
func distinct(r *fault.Reader, words []string) []string {
	for i, w := range words {
		if slices.Contains(words[:i], w) {
			r.Complain("%q stands here twice", w)
			break
		}
	}
	return words
}
