package run

import (
	"fmt"
	"testing"

	. "github.com/onsi/gomega"
)

func TestThePortsThatWereGivenLastAreKnown(t *testing.T) {
	g := NewWithT(t)
	var p ports
	g.Expect(p.has(1)).To(BeFalse())
	for port := 1; port <= maxPorts+10; port++ {
		p.given(map[string]string{"a": fmt.Sprintf("http://127.0.0.1:%d", port), "b": fmt.Sprintf("http://127.0.0.1:%d", port)})
	}
	p.given(map[string]string{"a": "no endpoint", "b": "http://127.0.0.1"})
	g.Expect(p.has(10)).To(BeFalse())
	g.Expect(p.has(11)).To(BeTrue())
	g.Expect(p.has(maxPorts + 10)).To(BeTrue())
	g.Expect(p.known).To(HaveLen(maxPorts))
}

func TestAWorkerEndsBeforeItsPortsAreForgotten(t *testing.T) {
	const endpoints, restarts = 5, 2 // of a task, at most
	NewWithT(t).Expect(maxAge * endpoints * restarts).To(BeNumerically("<=", maxPorts))
}
