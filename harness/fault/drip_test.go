package fault

import (
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

func TestDripHasAPace(t *testing.T) {
	g := NewWithT(t)
	g.Expect(firing(t, effect(t, "drip"), "approval.submit#1 replied").Order).To(Equal(Order{Action: Drip, Every: 200 * time.Millisecond}))
	g.Expect(firing(t, effect(t, m("drip", "0.1 attempt_timeout")), "approval.submit#1 replied").Order).To(Equal(Order{Action: Drip, Every: 800 * time.Millisecond}))
	g.Expect(stands(t, "drip")).To(Equal([]string{"sent", "replied"}))
	g.Expect(wrong(m("drip", "20ms"))).To(Equal([]string{"drip: \"20ms\" is no duration: write a multiple of a limit, such as 0.5 attempt_timeout"}))
}
