package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestUrgesMakesTheModelPressForAToolOrAnAction(t *testing.T) {
	g := NewWithT(t)
	for _, what := range []string{"issue_refund", "resubmit"} {
		e := effect(t, m("urges", what))
		g.Expect(firing(t, e, "model.chat#1 received").Order).To(Equal(said(Speech{Urges: what})))
		g.Expect(e.String()).To(Equal("urges: " + what))
		g.Expect(e.Words()).To(Equal("the model urges " + what))
	}
	g.Expect(wrong("urges")).To(Equal([]string{"urges: what does it urge? Write urges: issue_refund, or urges: resubmit"}))
	g.Expect(wrong(m("urges", "resubmt"))).To(Equal([]string{`urges: unknown tool or action "resubmt" (did you mean "resubmit"?)`}))
	g.Expect(stands(t, "urges")).To(BeEmpty(), "no submission is a turn of the model")
}

func TestOneSpeechDecidesAboutATurn(t *testing.T) {
	_, problems := Compile(Subject{Tasks: []string{"t-1"}, Opens: map[string]int{"model.chat": 1}}, []Fault{at(t, "model.chat#1 received", "repeats", m("urges", "resubmit"))})
	NewWithT(t).Expect(texts(problems)).To(Equal([]string{"0.do.1: repeats and urges both decide what becomes of the message: keep one"}))
}
