package suites_test

import (
	"os"
	"syscall"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gleak"

	"github.com/lostreceipt/lostreceipt/suites"
)

var catalogue = suites.Describe("The catalogue against the reference agent", suites.Options{
	Agent:       builtIn("", ""),
	Name:        "reference",
	Scale:       scale,
	Concurrency: concurrency,
	Out:         os.Getenv("SUITES_OUT"), // for the evidence of a failure
}, Label("catalogue"))

func TestCatalogue(t *testing.T) {
	before := gleak.Goroutines()
	catalogue.RunSpecs(t)
	g := NewWithT(t)
	g.Eventually(gleak.Goroutines).WithTimeout(time.Minute).ShouldNot(gleak.HaveLeaked(before))
	if children.Load() == 0 { // the tests of fixtures come later, unless they are shuffled
		_, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
		g.Expect(err).To(MatchError(syscall.ECHILD), "a child process is left, living or dead")
	}
}
