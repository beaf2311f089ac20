package fault

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

func said(s Speech) Order { return Order{Conduct: Conduct{Speech: &s}} }

func TestSaysPutsATurnInTheModelsMouth(t *testing.T) {
	g := NewWithT(t)
	e := effect(t, m("says", "Go on."))
	g.Expect(firing(t, e, "model.chat#2 received").Order).To(Equal(said(Speech{Text: "Go on."})))
	g.Expect(e.String()).To(Equal(`says: "Go on."`))
	g.Expect(e.Words()).To(Equal(`the model says "Go on."`))

	e = effect(t, m("says", m("say", "Now.", "call", m("tool", "search_kb", "arguments", m("q", "a", "limit", 3)))))
	g.Expect(firing(t, e, "model.chat#2 received").Order).To(Equal(said(Speech{
		Text: "Now.", Calls: []SpokenCall{{Tool: "search_kb", Arguments: `{"q":"a","limit":3}`}},
	})))
	g.Expect(e.String()).To(Equal(`says: {say: "Now.", call: {tool: search_kb, arguments: {"q":"a","limit":3}}}`))
	g.Expect(e.Words()).To(Equal(`the model asks for search_kb({"q":"a","limit":3}) and says "Now."`))

	e = effect(t, m("says", m("calls", l(m("tool", "search_kb", "raw", `{"q`), m("tool", "kb_cache")))))
	g.Expect(e.String()).To(Equal(`says: {calls: [{tool: search_kb, raw: "{\"q"}, {tool: kb_cache, arguments: {}}]}`))

	kind, _ := FindKind("says")
	g.Expect(kind.Stand(anchor(t, "model.chat#1 received"))).To(Succeed())
	for _, at := range []string{"model.chat#1 sent", "model.list#1 received", "knowledge.search_kb#1 received", "agent started"} {
		g.Expect(kind.Stand(anchor(t, at))).To(MatchError("says is done by the model to a request for its next turn: use model.chat#1 received, say"))
	}
	g.Expect(kind.Needs).To(Equal([]string{"model_loop"}))
}

func TestSpeechThatIsWrongSaysWhatIsRight(t *testing.T) {
	g := NewWithT(t)
	for _, c := range []struct {
		what any
		want string
	}{
		{"says", "says: what does it say? Write says: a text, or says: {call: {tool: search_kb, arguments: {q: refund window}}}"},
		{m("says", m()), "says: the turn says nothing: write say:, call:, calls:, repeats: or urges:"},
		{m("says", m("cal", m())), `says.cal: unknown field "cal" (did you mean "call"?)`},
		{m("says", m("call", m("tool", "serch_kb"))), `says.call.tool: unknown tool "serch_kb" (did you mean "search_kb"?)`},
		{m("says", m("call", m("arguments", m()))), `says.call: the field "tool" is missing`},
		{m("says", m("call", "search_kb")), `says.call: this takes a call, such as {tool: search_kb, arguments: {q: refund window}}, not "search_kb"`},
		{m("says", m("call", m("tool", "search_kb", "arguments", m(), "raw", "x"))), "says.call.raw: a call has arguments: or raw:, not both"},
		{m("says", m("call", m("tool", "search_kb"), "calls", l(m("tool", "kb_cache")))), "says.calls: a turn has call: or calls:, not both"},
		{m("says", m("call", m("tool", "search_kb", "arguments", "q"))), `says.call.arguments: this takes a map, such as {q: refund window}, not "q"`},
	} {
		g.Expect(wrong(c.what)).To(ContainElement(c.want))
	}
}

func TestWrittenValuesAreJSONAsTheyAreWritten(t *testing.T) {
	g := NewWithT(t)
	quoted := Word("7")
	quoted.Quoted = true
	w := m("a", 7, "b", quoted, "c", "true", "d", "-1.50", "e", l("x", 1), "f", m("g", "no"), "h", Written{})
	g.Expect(string(w.JSON())).To(Equal(`{"a":7,"b":"7","c":true,"d":-1.50,"e":["x",1],"f":{"g":"no"},"h":null}`))
}

func TestASpeechCarriesTheReceiptOfItsFault(t *testing.T) {
	g := NewWithT(t)
	s := Subject{Tasks: []string{"t-1"}, Opens: map[string]int{"model.chat": 2}}
	plan, problems := Compile(s, []Fault{at(t, "model.chat#1..2 received", "repeats")})
	g.Expect(problems).To(BeEmpty())
	in := NewInjector(Config{Plan: plan, Log: history.NewLog(nil)})
	defer in.Close()
	for n := 1; n <= 2; n++ {
		o := in.At(t.Context(), Point{Ref: Ref{Task: "t-1", Ordinal: n}, Service: "model", Operation: "chat", Phase: Received})
		g.Expect(o.Speech.Repeats).To(BeTrue())
		g.Expect(o.Speech.Receipt).To(Equal(&history.Fault{ID: "f-1", Anchor: "model.chat#1..2 received", Effect: "repeats"}))
	}
}
