package service_test

import (
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/service"
)

func TestAManualClockRingsInOrder(t *testing.T) {
	g := NewWithT(t)
	var clock service.ManualClock
	var rang []string
	ring := func(name string) func() {
		return func() { rang = append(rang, name+" at "+clock.Now().String()) }
	}
	clock.AfterFunc(2*time.Second, ring("two"))
	stop := clock.AfterFunc(3*time.Second, ring("stopped"))
	clock.AfterFunc(time.Second, func() {
		ring("one")()
		clock.AfterFunc(500*time.Millisecond, ring("nested"))
	})
	g.Expect(stop()).To(BeTrue())
	g.Expect(stop()).To(BeFalse())
	clock.Advance(time.Second - 1)
	g.Expect(rang).To(BeEmpty())
	clock.Advance(time.Hour)
	g.Expect(rang).To(Equal([]string{"one at 1s", "nested at 1.5s", "two at 2s"}))
}
