package run

import (
	"context"
	"testing"

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
