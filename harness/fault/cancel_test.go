package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestCancelIsOfTheTask(t *testing.T) {
	g := NewWithT(t)
	g.Expect(moves(t, firing(t, effect(t, "cancel"), "agent claims submitting"))).To(Equal([]string{"cancel t-1"}))
}
