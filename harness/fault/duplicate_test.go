package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestDuplicateIsOfARequest(t *testing.T) {
	g := NewWithT(t)
	g.Expect(firing(t, effect(t, "duplicate"), "approval.submit#1 sent").Order).To(Equal(Order{Action: Duplicate}))
	g.Expect(stands(t, "duplicate")).To(Equal([]string{"sent"}))
	kind, _ := FindKind("duplicate")
	g.Expect(kind.Stand(anchor(t, "approval.submit#1 replied"))).To(MatchError("duplicate acts at sent, not at replied"))
}
