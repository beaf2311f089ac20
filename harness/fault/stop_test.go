package fault

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestStopIsOfTheTask(t *testing.T) {
	g := NewWithT(t)
	g.Expect(moves(t, firing(t, effect(t, "stop"), "approval.submit#1 replied"))).To(Equal([]string{"stop t-1"}))
}
