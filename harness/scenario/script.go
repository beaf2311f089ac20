package scenario

import (
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/tool"
)

// Turn is one turn of the model's script: the assistant's n-th message.
type Turn struct {
	_ struct{}

	fault.Speech
	// AfterError is said instead when a tool that the turn before asked for has failed. Nil: the turn is the same.
	AfterError *fault.Speech
}

// ModelGiven are settings of the model.
type ModelGiven struct {
	_ struct{}

	Script  []Turn
	Missing []string // names of models that are not there
}

// KnowledgeGiven are settings of the knowledge service, a list of tools each.
type KnowledgeGiven struct {
	_ struct{}

	Denies  []string // answered 403
	Missing []string // answered 404
	Refuses []string // answered 422, although their schema takes the arguments
}

// DefaultScript asks the knowledge base, then the cache if that failed, and
// answers with what there is.
func DefaultScript() []Turn {
	ask := func(name string) fault.Speech {
		return fault.Speech{Calls: []fault.SpokenCall{{Tool: name, Arguments: `{"q":"refund window"}`}}}
	}
	cache := ask("kb_cache")
	gap := fault.Speech{Text: "I could not look the refund window up: neither search_kb nor kb_cache answers."}
	return []Turn{
		{Speech: ask("search_kb")},
		{Speech: fault.Speech{Text: "Goods can be returned for a refund within 30 days of delivery."}, AfterError: &cache},
		{Speech: fault.Speech{Text: "By a copy that may be stale, goods can be returned for a refund within 14 days of delivery."}, AfterError: &gap},
	}
}

// AdviserScript is what a model says that only advises.
func AdviserScript() []Turn {
	return []Turn{{Speech: fault.Speech{Text: "Go by the records of the service, and by what was promised."}}}
}

func (s *Scenario) readModel(r *fault.Reader) {
	m := &s.Given.Model
	m.Script = DefaultScript()
	if !s.asks() {
		m.Script = AdviserScript()
	}
	if !r.Present() || !r.Fields("script", "missing") {
		return
	}
	if !s.talks() {
		r.Complain("nobody talks to the model here: it belongs to a question, or to assistant: model")
	}
	if f := r.Field("missing"); f.Present() {
		m.Missing = f.Words("model", s.models())
	}
	script := r.Field("script")
	if !script.Present() {
		return
	}
	m.Script = nil
	items := script.Items("{call: {tool: search_kb, arguments: {q: refund window}}}")
	if script.Written().Shape == fault.List && len(items) == 0 {
		script.Complain("the script is empty: write at least one turn")
	}
	for _, item := range items {
		m.Script = append(m.Script, readTurn(item))
	}
}

func readTurn(r *fault.Reader) Turn {
	if r.Written().Shape != fault.Map {
		r.Complain("this takes a turn, such as {call: {tool: search_kb, arguments: {q: refund window}}}, or {say: a text}")
		return Turn{}
	}
	if !r.Fields(append(fault.SpeechFields(), "after_error")...) {
		return Turn{}
	}
	t := Turn{Speech: fault.ReadSpeech(r)}
	if f := r.Field("after_error"); f.Present() {
		if f.Written().Shape != fault.Map {
			f.Complain("this takes a turn, such as {call: {tool: kb_cache, arguments: {q: refund window}}}")
		} else if f.Fields(fault.SpeechFields()...) {
			said := fault.ReadSpeech(f)
			t.AfterError = &said
		}
	}
	return t
}

func (s *Scenario) readKnowledge(r *fault.Reader) {
	if !r.Present() || !r.Fields("denies", "missing", "refuses") {
		return
	}
	if !s.asks() {
		r.Complain("nobody calls a tool here: it belongs to a question")
	}
	k := &s.Given.Knowledge
	k.Denies = r.Field("denies").Words("tool", tool.Names())
	k.Missing = r.Field("missing").Words("tool", tool.Names())
	k.Refuses = r.Field("refuses").Words("tool", tool.Names())
	for _, name := range []string{"denies", "missing", "refuses"} {
		for _, item := range r.Field(name).Items("") {
			if _, known := tool.Find(item.Text()); known && !s.offers(item.Text()) {
				item.Complain("%s is not offered by any task: add it to tools:", item.Text())
			}
		}
	}
}

// asks tells whether a task is a question.
func (s *Scenario) asks() bool {
	return slices.ContainsFunc(s.Tasks, func(t Task) bool { return t.Type == Question })
}

// offers tells whether a question offers a tool.
func (s *Scenario) offers(name string) bool {
	return slices.ContainsFunc(s.Tasks, func(t Task) bool { return slices.Contains(t.Asked.Tools, name) })
}

// buys tells whether a task is a purchase.
func (s *Scenario) buys() bool {
	return slices.ContainsFunc(s.Tasks, func(t Task) bool { return t.Type != Question })
}

// talks tells whether a task has a model.
func (s *Scenario) talks() bool {
	return slices.ContainsFunc(s.Tasks, func(t Task) bool { return slices.Contains(t.Services(), "model") })
}

// opens are the calls that the script leads every correct agent to, with how
// often: those of its turns up to the first that depends on what came of the calls
// before it, as far as their arguments fit.
func (s *Scenario) opens() map[string]int {
	if !s.asks() {
		return nil
	}
	certain, seen := map[string]int{}, map[string]bool{} // an equal call may be spared
	for _, t := range s.Given.Model.Script {
		certain["model.chat"]++
		if t.AfterError != nil || t.Repeats || t.Urges != "" {
			break
		}
		for _, c := range t.Calls {
			if text := c.String(); !seen[text] && tool.Misfit(c.Tool, []byte(c.Arguments)) == "" && s.offers(c.Tool) {
				seen[text] = true
				certain["knowledge."+c.Tool]++
			}
		}
		if len(t.Calls) == 0 {
			break
		}
	}
	return certain
}
