package suites_test

import (
	"errors"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/lostreceipt/lostreceipt/suites"
)

var catalogue = suites.Describe("The catalogue against the reference agent", suites.Options{
	Agent: builtIn("", ""),
	Name:  "reference",
}, Label("catalogue"))

func TestCatalogue(t *testing.T) {
	before := gleak.Goroutines()
	catalogue.RunSpecs(t)
	g := NewWithT(t)
	g.Eventually(gleak.Goroutines).WithTimeout(time.Minute).ShouldNot(gleak.HaveLeaked(before))
	g.Expect(childOfThisProcess()).To(BeFalse(), "a child process is left")
}

// childOfThisProcess tells whether there is any, living or dead.
func childOfThisProcess() bool {
	_, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
	return !errors.Is(err, syscall.ECHILD)
}
