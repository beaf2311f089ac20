package dialect_test

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/dialect"
)

func TestAMessageSaysWhichFieldIsWrong(t *testing.T) {
	for _, c := range []struct {
		name, body string
		read       func(m *dialect.Message)
		want       string
	}{
		{"no object", `[]`, func(*dialect.Message) {}, "body: is not a JSON object"},
		{"null", `null`, func(*dialect.Message) {}, "body: is null, want a JSON object"},
		{"two values", `{} {}`, func(*dialect.Message) {}, "body: is not a JSON object"},
		{"an absent field", `{"a":{}}`, func(m *dialect.Message) { m.Require("a", "a.b") }, "a.b: is missing"},
		{"null where something must be", `{"a":null}`, func(m *dialect.Message) { m.Require("a") }, "a: is missing"},
		{"a number for a text", `{"a":{"b":1}}`, func(m *dialect.Message) { m.Text("a.b") }, "a.b: want a string, got a number"},
		{"a text for an object", `{"a":"x"}`, func(m *dialect.Message) { m.Text("a.b") }, "a: want an object, got a string"},
		{"a text for a number", `{"n":"1"}`, func(m *dialect.Message) { m.Count("n") }, "n: want a whole number, got a string"},
		{"a broken number", `{"n":1.5}`, func(m *dialect.Message) { m.Count("n") }, "n: want a whole number, got a number"},
		{"a huge number", `{"n":1e300}`, func(m *dialect.Message) { m.Count("n") }, "n: want a whole number, got a number"},
		{"a text for a flag", `{"f":"true"}`, func(m *dialect.Message) { m.Flag("f") }, "f: want true or false, got a string"},
		{"an object for a list", `{"l":{}}`, func(m *dialect.Message) { m.Texts("l") }, "l: want a list, got an object"},
		{"an element of a list", `{"l":["x",null,2]}`, func(m *dialect.Message) { m.Texts("l") }, "l[2]: want a string, got a number"},
		{"a field of an element", `{"l":[{},{"c":"x"}]}`, func(m *dialect.Message) {
			for _, o := range m.Objects("l") {
				o.Count("c")
			}
		}, "l[1].c: want a whole number, got a string"},
		{"the first of two", `{"a":1,"b":2}`, func(m *dialect.Message) { m.Text("a"); m.Text("b") }, "a: want a string, got a number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := NewWithT(t)
			m := dialect.ReadMessage([]byte(c.body))
			c.read(m)
			g.Expect(m.Err()).To(MatchError(c.want))
		})
	}
}

func TestWhatIsAbsentReadsAsZero(t *testing.T) {
	g := NewWithT(t)
	m := dialect.ReadMessage([]byte(`{"n":null,"o":{"x":null}}`))
	g.Expect(m.Text("a.b.c")).To(BeEmpty())
	g.Expect(m.Count("n")).To(BeZero())
	g.Expect(m.Flag("f")).To(BeFalse())
	g.Expect(m.Texts("l")).To(BeEmpty())
	g.Expect(m.Raw("o.x")).To(BeNil())
	g.Expect(m.Has("o.x")).To(BeTrue(), "null is there")
	g.Expect(m.Has("o.y")).To(BeFalse())
	g.Expect(m.Err()).NotTo(HaveOccurred())
}
