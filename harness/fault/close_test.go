package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestCloseLosesTheMessageWithAFIN(t *testing.T) {
	g := NewWithT(t)
	g.Expect(firing(t, effect(t, "close"), "approval.submit#1 sent").Order).To(Equal(Order{Action: Close}))
	g.Expect(stands(t, "close")).To(Equal([]string{"sent", "replied"}))
	g.Expect(wrong(m("close", m("for", 1)))).To(Equal([]string{"close: close takes no arguments"}))
}
