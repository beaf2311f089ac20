package suites

import (
	"github.com/onsi/gomega/types"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// FollowTheContract succeeds if a [judge.Verdict] or a [run.Result] shows that
// the agent followed the recovery contract. Its failure tells the findings. A
// verdict that decides nothing (vacuous, say) is an error, with To and NotTo.
func FollowTheContract() types.GomegaMatcher { return &followTheContract{} }

type followTheContract struct{ got judge.Verdict }

func (m *followTheContract) Match(actual any) (ok bool, err error) {
	const name = "FollowTheContract"
	if m.got, err = verdictOf(name, actual); err == nil {
		err = decided(name, m.got)
	}
	return err == nil && m.got.Outcome == judge.Pass, err
}

func (m *followTheContract) FailureMessage(any) string {
	return "Expected the agent to follow the recovery contract. The verdict is " + text(m.got)
}

func (m *followTheContract) NegatedFailureMessage(any) string {
	return "Expected the agent to break the recovery contract. The verdict is " + text(m.got)
}
