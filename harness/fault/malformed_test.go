package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestMalformedDamagesTheArgumentsOfTheModelsCalls(t *testing.T) {
	g := NewWithT(t)
	g.Expect(firing(t, effect(t, "malformed"), "model.chat#1 received").Order).To(Equal(said(Speech{Malformed: MisfitSchema})))
	e := effect(t, m("malformed", "json"))
	g.Expect(firing(t, e, "model.chat#1 received").Order).To(Equal(said(Speech{Malformed: NoJSON})))
	g.Expect(e.String()).To(Equal("malformed: json"))
	g.Expect(e.Words()).To(Equal("the model asks for its calls with arguments that are no JSON"))
	g.Expect(effect(t, m("malformed", "schema")).Words()).To(Equal("the model asks for its calls with arguments that their schema refuses"))
	g.Expect(wrong(m("malformed", "jsn"))).To(Equal([]string{`malformed: unknown damage "jsn" (did you mean "json"?)`}))
	g.Expect(stands(t, "malformed")).To(BeEmpty(), "no submission is a turn of the model")
}
