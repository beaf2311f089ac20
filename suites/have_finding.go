package suites

import (
	"fmt"

	"github.com/onsi/gomega/types"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// HaveFinding succeeds if a [judge.Verdict] or a [run.Result] has a finding of
// the rule, whoever is the party. An unknown rule is an error, with To and
// NotTo, and so is a verdict that decides nothing and has no such finding: no
// finding seems to be absent for want of evidence.
func HaveFinding(rule string) types.GomegaMatcher { return &haveFinding{rule: rule} }

type haveFinding struct {
	rule  string
	got   judge.Verdict
	found []judge.Finding
}

func (m *haveFinding) Match(actual any) (ok bool, err error) {
	if m.got, err = verdictOf("HaveFinding", actual); err != nil {
		return false, err
	}
	var rules []string
	known := false
	for _, r := range judge.Rules() {
		rules = append(rules, r.ID)
		known = known || r.ID == m.rule
	}
	if !known {
		return false, fmt.Errorf("HaveFinding: there is no rule %q%s; lostreceipt list rules names them all", m.rule, nearest(m.rule, rules))
	}
	m.found = nil
	for _, f := range m.got.Findings {
		if f.Rule == m.rule {
			m.found = append(m.found, f)
		}
	}
	if len(m.found) == 0 {
		return false, decided("HaveFinding", m.got)
	}
	return true, nil
}

func (m *haveFinding) FailureMessage(any) string {
	return fmt.Sprintf("Expected a finding of the rule %s. The verdict is %s", m.rule, text(m.got))
}

func (m *haveFinding) NegatedFailureMessage(any) string {
	return fmt.Sprintf("Expected no finding of the rule %s:\n\n%s", m.rule, texts(m.found))
}
