package suites

import (
	"github.com/onsi/gomega/types"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// HaveNoDuplicateConsequence succeeds if a [judge.Verdict] or a [run.Result]
// shows that no confirmed intent had its consequence twice by the agent's
// doing. Its failure tells the findings. A verdict that decides nothing
// (vacuous, say) is an error, with To and NotTo.
func HaveNoDuplicateConsequence() types.GomegaMatcher { return &haveNoDuplicateConsequence{} }

// duplicateConsequence is the judge's rule.
const duplicateConsequence = "duplicate-consequence"

type haveNoDuplicateConsequence struct{ found []judge.Finding }

func (m *haveNoDuplicateConsequence) Match(actual any) (ok bool, err error) {
	const name = "HaveNoDuplicateConsequence"
	v, err := verdictOf(name, actual)
	if err == nil {
		err = decided(name, v)
	}
	if err != nil {
		return false, err
	}
	m.found = nil
	for _, f := range v.Findings {
		if f.Rule == duplicateConsequence && f.Party == judge.Agent && !f.Uncertain {
			m.found = append(m.found, f)
		}
	}
	return len(m.found) == 0, nil
}

func (m *haveNoDuplicateConsequence) FailureMessage(any) string {
	return "Expected no consequence to be there twice by the agent's doing:\n\n" + texts(m.found)
}

func (m *haveNoDuplicateConsequence) NegatedFailureMessage(any) string {
	return "Expected a consequence to be there twice by the agent's doing, and none is"
}
