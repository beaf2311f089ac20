package reports

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

func TestAProblemIsToldOnceAndOnALineOfItsOwn(t *testing.T) {
	s := Scenario{Verdict: judge.Verdict{Reasons: []string{"evidence: disk full"}}, Repetitions: []Repetition{{N: 2, Problem: "evidence: disk full\nledger: disk full\n"}}}
	NewWithT(t).Expect(complaints(s)).To(Equal([]string{"evidence: disk full", "repetition 2: ledger: disk full"}))
}
