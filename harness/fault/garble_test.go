package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestGarbleReplacesTheBody(t *testing.T) {
	g := NewWithT(t)
	g.Expect(firing(t, effect(t, "garble"), "approval.submit#1 replied").Order).To(Equal(Order{Action: Garble}))
	g.Expect(stands(t, "garble")).To(Equal([]string{"sent", "replied"}))
}
