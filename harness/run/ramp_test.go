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
	first, second, third, fourth := r.queue(1), r.queue(1), r.queue(1), r.queue(1)
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
		enter := r.queue(1)
		if enter(t.Context()) {
			r.back()
		}
	}
	late.Store(int64(2 * time.Second))
	for range least * runtime.GOMAXPROCS(0) {
		start()
	}
	one, two := r.queue(1), r.queue(1)
	r.look()
	g.Expect(r.waiting).To(HaveLen(2), "they wait while it is late")
	r.over(1)
	g.Expect(one(t.Context())).To(BeTrue(), "one takes the place of one that is over")
	r.back()
	g.Expect(r.waiting).To(HaveLen(1))
	late.Store(int64(time.Second))
	r.look()
	g.Expect(two(t.Context())).To(BeTrue(), "and it is in time again")
}

func TestARunOfManyTasksCountsAsMany(t *testing.T) {
	g := NewWithT(t)
	r := newRamp(func() time.Duration { return time.Hour }, time.Second)
	most := least * runtime.GOMAXPROCS(0)
	large := r.queue(most + 1)
	g.Expect(large(t.Context())).To(BeTrue(), "it is the only one")
	r.back()
	small, other := r.queue(1), r.queue(most)
	g.Expect(r.waiting).To(HaveLen(2), "there is no room beside it")
	r.over(most + 1)
	g.Expect(small(t.Context())).To(BeTrue())
	r.back()
	g.Expect(r.waiting).To(HaveLen(1), "one more than there is room for")
	r.over(1)
	g.Expect(other(t.Context())).To(BeTrue())
}

func TestSlotsAreTakenTogetherOrNotWaitedFor(t *testing.T) {
	g := NewWithT(t)
	slots := make(chan struct{}, 3)
	g.Expect(take(t.Context(), slots, 2)).To(BeTrue())
	ctx, end := context.WithCancel(t.Context())
	taken := make(chan bool)
	go func() { taken <- take(ctx, slots, 2) }()
	g.Consistently(taken, 20*time.Millisecond).ShouldNot(Receive())
	<-slots
	g.Eventually(taken, time.Minute).Should(Receive(BeTrue()))
	go func() { taken <- take(ctx, slots, 1) }()
	end()
	g.Eventually(taken, time.Minute).Should(Receive(BeFalse()))
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
