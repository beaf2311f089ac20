package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestRedispatchIsOfTheTask(t *testing.T) {
	g := NewWithT(t)
	g.Expect(moves(t, firing(t, effect(t, "redispatch"), "approval.submit#1 sent"))).To(Equal([]string{"redispatch t-1"}))
	g.Expect(wrong(m("redispatch", "t-2"))).To(Equal([]string{"redispatch: redispatch takes no arguments"}))
}
