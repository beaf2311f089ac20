package run

import (
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/history"
)

func TestAGaugeTellsWhenTheMachineWasLate(t *testing.T) {
	g := NewWithT(t)
	n := newNoise()
	start := time.Now()
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	early := n.open()
	n.add(at(10), 500*time.Microsecond) // too little to matter
	n.add(at(40), 5*time.Millisecond)
	n.add(at(50), 8*time.Millisecond) // the same hiccup
	late := n.open()
	n.add(at(300), 2*time.Millisecond)
	largest, all := early.close(start)
	g.Expect(largest).To(Equal(8 * time.Millisecond))
	g.Expect(all).To(Equal([]history.Delay{
		{From: 35 * time.Millisecond, To: 50 * time.Millisecond, Late: 8 * time.Millisecond},
		{From: 298 * time.Millisecond, To: 300 * time.Millisecond, Late: 2 * time.Millisecond},
	}))
	largest, all = late.close(start)
	g.Expect(largest).To(Equal(2 * time.Millisecond))
	g.Expect(all).To(HaveLen(1))
}

func TestAGaugeKeepsNoMoreThanItsBound(t *testing.T) {
	g := NewWithT(t)
	n := newNoise()
	gauge, start := n.open(), time.Now()
	for i := range 50_000 {
		n.add(start.Add(time.Duration(i)*30*time.Millisecond), 2*time.Millisecond+time.Duration(i))
	}
	largest, all := gauge.close(start)
	g.Expect(len(all)).To(BeNumerically("<=", maxDelays))
	g.Expect(len(all)).To(BeNumerically(">", maxDelays/4))
	g.Expect(all[len(all)-1].Late).To(Equal(largest))
}
