package run

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	. "github.com/onsi/gomega"
)

func TestStartsAreInTheOrderOfTheQueue(t *testing.T) {
	g := NewWithT(t)
	r := &ramp{free: 1}
	ctx, end := context.WithCancel(t.Context())
	first, second, third, fourth := r.queue(), r.queue(), r.queue(), r.queue()
	g.Expect(first(ctx)).To(BeTrue())

	ended, stop := context.WithCancel(t.Context())
	stop()
	g.Expect(second(ended)).To(BeFalse(), "it gives its turn up")
	over := make(chan struct{})
	left := r.leave(nil, over)
	close(over)
	<-left
	g.Expect(third(ctx)).To(BeTrue())

	r.back()
	end()
	fourth(ctx) // it has its turn; whether it takes it or gives it up, nothing is lost
	r.mu.Lock()
	defer r.mu.Unlock()
	g.Expect(r.waiting).To(BeEmpty())
	g.Expect(r.free).To(BeNumerically("<=", 1))
}

func TestAMachineThatIsLateStartsTheLeast(t *testing.T) {
	g := NewWithT(t)
	var late atomic.Int64
	r := newRamp(func() time.Duration { return time.Duration(late.Load()) }, time.Second)
	start := func() { // and comes to its work at once
		enter := r.queue()
		if enter(t.Context()) {
			r.back()
		}
	}
	late.Store(int64(2 * time.Second))
	for range least * runtime.GOMAXPROCS(0) {
		start()
	}
	one, two := r.queue(), r.queue()
	r.look()
	g.Expect(r.waiting).To(HaveLen(2), "they wait while it is late")
	r.over()
	g.Expect(one(t.Context())).To(BeTrue(), "one takes the place of one that is over")
	r.back()
	g.Expect(r.waiting).To(HaveLen(1))
	late.Store(int64(time.Second))
	r.look()
	g.Expect(two(t.Context())).To(BeTrue(), "and it is in time again")
}

func TestALateMachineCalms(t *testing.T) {
	g := NewWithT(t)
	n := newNoise()
	now := time.Now()
	n.add(now, 80*time.Millisecond)
	g.Expect(n.late()).To(Equal(80 * time.Millisecond))
	n.add(now.Add(calming), time.Millisecond)
	g.Expect(n.late()).To(Equal(40 * time.Millisecond))
	n.add(now.Add(calming), 50*time.Millisecond)
	g.Expect(n.late()).To(Equal(50 * time.Millisecond))
	n.add(now.Add(20*calming), 0)
	g.Expect(n.late()).To(BeNumerically("<", time.Millisecond))
}
