package suites

import (
	"fmt"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/reports"
)

// verdictOf takes the verdict out of what a matcher is given.
func verdictOf(matcher string, actual any) (judge.Verdict, error) {
	switch a := actual.(type) {
	case judge.Verdict:
		return a, nil
	case *judge.Verdict:
		if a != nil {
			return *a, nil
		}
	case run.Result:
		return a.Verdict, nil
	}
	return judge.Verdict{}, fmt.Errorf("%s: want a judge.Verdict or a run.Result, got %T", matcher, actual)
}

// decided refuses a verdict that shows nothing of the agent, so that no matcher
// holds for want of evidence.
func decided(matcher string, v judge.Verdict) error {
	if v.Outcome == judge.Pass || v.Outcome == judge.Violation {
		return nil
	}
	return fmt.Errorf("%s: this verdict decides nothing: %s", matcher, text(v))
}

// text is a verdict for people, harmless on a terminal.
func text(v judge.Verdict) string { return strings.TrimSuffix(reports.VerdictText(v), "\n") }

// texts are findings for people, harmless on a terminal.
func texts(findings []judge.Finding) string {
	all := make([]string, len(findings))
	for i, f := range findings {
		all[i] = strings.TrimSuffix(reports.FindingText(f), "\n")
	}
	return strings.Join(all, "\n\n")
}
