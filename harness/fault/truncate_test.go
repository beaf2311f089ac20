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
	g.Expect(stands(t, "truncate")).To(Equal([]string{"sent", "replied"}))
	g.Expect(wrong("truncate")).To(Equal([]string{"truncate: how many bytes of the body pass? Write truncate: 14"}))
	g.Expect(wrong(m("truncate", "half"))).To(Equal([]string{"truncate: \"half\" is no whole number"}))
	g.Expect(wrong(m("truncate", -2))).To(Equal([]string{"truncate: -2 is out of range: from -1 to 2147483647"}))
}
