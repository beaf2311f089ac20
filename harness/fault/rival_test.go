package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestRivalUsesTheIdentifierFirst(t *testing.T) {
	g := NewWithT(t)
	g.Expect(firing(t, effect(t, "rival"), "approval.submit#1 received").Order).To(Equal(Order{Conduct: Conduct{Rival: true}}))
	g.Expect(stands(t, "rival")).To(Equal([]string{"received"}))
}
