package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestTruncateLetsAPartThrough(t *testing.T) {
	g := NewWithT(t)
	g.Expect(firing(t, effect(t, m("truncate", 14)), "approval.submit#1 replied").Order).To(Equal(Order{Action: Truncate, Bytes: 14}))
	g.Expect(firing(t, effect(t, m("truncate", -1)), "approval.submit#1 replied").Order).To(Equal(Order{Action: Truncate, Bytes: -1}))
	g.Expect(firing(t, effect(t, m("truncate", 0)), "approval.submit#1 replied").Order).To(Equal(Order{Action: Truncate}))
	g.Expect(firing(t, effect(t, m("truncate", m("head", 20))), "approval.submit#1 replied").Order).To(Equal(Order{Action: Truncate, Cut: InHead, Bytes: 20}))
	g.Expect(firing(t, effect(t, m("truncate", m("chunk", 2))), "approval.submit#1 replied").Order).To(Equal(Order{Action: Truncate, Cut: InChunk, Bytes: 2}))
	g.Expect(effect(t, m("truncate", m("chunk", 2))).String()).To(Equal("truncate: {chunk: 2}"))
	g.Expect(wrong(m("truncate", m("head", 1, "chunk", 1)))).To(Equal([]string{"truncate: the message is cut in one place: write {head: 20} or {chunk: 2}"}))
	g.Expect(wrong(m("truncate", m("head", 0)))).To(Equal([]string{"truncate.head: 0 is out of range: from 1 to 2147483647"}))
	g.Expect(stands(t, "truncate")).To(Equal([]string{"sent", "replied"}))
	g.Expect(wrong("truncate")).To(Equal([]string{"truncate: how many bytes of the body pass? Write truncate: 14"}))
	g.Expect(wrong(m("truncate", "half"))).To(Equal([]string{"truncate: \"half\" is no whole number"}))
	g.Expect(wrong(m("truncate", -2))).To(Equal([]string{"truncate: -2 is out of range: from -1 to 2147483647"}))
}
