package fault

import (
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

func TestPauseLasts(t *testing.T) {
	g := NewWithT(t)
	f := firing(t, effect(t, m("pause", "2 attempt_timeout")), "approval.submit#1 replied")
	g.Expect(moves(t, f)).To(Equal([]string{"pause t-1 w-1 16s"}))
	g.Expect(f.steps[0].lasts).To(Equal(16 * time.Second))
	g.Expect(wrong("pause")).To(Equal([]string{"pause: for how long? Write pause: 2 attempt_timeout"}))
}
