package suites

import (
	"fmt"
	"slices"

	"github.com/onsi/gomega/types"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// HaveVerdict succeeds if the outcome of a [judge.Verdict] or a [run.Result] is
// the one given. Its failure tells the outcome, the reasons and the findings.
func HaveVerdict(want judge.Outcome) types.GomegaMatcher { return &haveVerdict{want: want} }

type haveVerdict struct {
	want judge.Outcome
	got  judge.Verdict
}

func (m *haveVerdict) Match(actual any) (ok bool, err error) {
	if !slices.Contains(judge.Outcomes(), m.want) {
		return false, fmt.Errorf("HaveVerdict: there is no outcome %q: one of %q", m.want, judge.Outcomes())
	}
	m.got, err = verdictOf("HaveVerdict", actual)
	return err == nil && m.got.Outcome == m.want, err
}

func (m *haveVerdict) FailureMessage(any) string {
	return fmt.Sprintf("Expected the verdict to be %s. It is %s", m.want, text(m.got))
}

func (m *haveVerdict) NegatedFailureMessage(any) string {
	return fmt.Sprintf("Expected the verdict not to be %s", text(m.got))
}
