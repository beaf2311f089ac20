package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestRepeatsMakesTheModelAskAgain(t *testing.T) {
	g := NewWithT(t)
	e := effect(t, "repeats")
	g.Expect(firing(t, e, "model.chat#2 received").Order).To(Equal(said(Speech{Repeats: true})))
	g.Expect(e.Words()).To(Equal("the model asks for the same calls again"))
	g.Expect(wrong(m("repeats", 3))).To(Equal([]string{"repeats: repeats takes no arguments"}))
	g.Expect(stands(t, "repeats")).To(BeEmpty(), "no submission is a turn of the model")
}
