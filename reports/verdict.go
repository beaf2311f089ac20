package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// VerdictText says why a verdict is not a pass, as harmless text: the outcome,
// a line for each reason, then the findings, those against the agent first. A
// finding on which the verdict does not rest says so by its party. The text is
// bounded: at most 20 reasons and 20 findings are told, the rest is counted.
func VerdictText(v judge.Verdict) string {
	const most = 20
	var out strings.Builder
	out.WriteString(plain(string(v.Outcome), maxName) + "\n")
	for _, reason := range v.Reasons[:min(most, len(v.Reasons))] {
		fmt.Fprintf(&out, "  %s\n", plain(reason, maxSentence))
	}
	if n := len(v.Reasons) - most; n > 0 {
		fmt.Fprintf(&out, "  and %d more reasons\n", n)
	}
	findings := slices.Clone(v.Findings)
	slices.SortStableFunc(findings, func(a, b judge.Finding) int { return rank(a) - rank(b) })
	for _, f := range findings[:min(most, len(findings))] {
		out.WriteString("\n" + FindingText(f))
	}
	if n := len(findings) - most; n > 0 {
		fmt.Fprintf(&out, "\nand %d more findings\n", n)
	}
	return out.String()
}

// rank puts what decides first.
func rank(f judge.Finding) int {
	switch {
	case f.Party != judge.Agent:
		return 2
	case f.Uncertain:
		return 1
	default:
		return 0
	}
}
