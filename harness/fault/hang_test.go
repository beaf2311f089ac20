package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestHangDropsTheMessageAndKeepsTheConnection(t *testing.T) {
	g := NewWithT(t)
	g.Expect(firing(t, effect(t, "hang"), "approval.submit#1 replied").Order).To(Equal(Order{Action: Hang}))
	g.Expect(stands(t, "hang")).To(Equal([]string{"sent", "replied"}))
	g.Expect(wrong(m("hang", "x"))).To(Equal([]string{"hang: hang takes no arguments"}))
}
