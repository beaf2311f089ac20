package run

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

func TestAnErrorOfTheHarnessIsKeptOnce(t *testing.T) {
	g := NewWithT(t)
	r := Result{Verdict: judge.Verdict{Reasons: []string{"other"}}}.harness("a: full\nb: full\na: full").harness("b: full\nc: full")
	g.Expect(r.Problem).To(Equal("a: full\nb: full\nc: full"))
	g.Expect(r.Verdict.Reasons).To(Equal([]string{"a: full", "b: full", "c: full", "other"}))
}
