package reports_test

import (
	"slices"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

func TestCompareSaysWhatChanged(t *testing.T) {
	stored := judge.Verdict{
		Outcome: judge.Violation, Ends: []string{"completed"}, Counts: map[string]int{"approval": 2},
		Findings: []judge.Finding{duplicate(), {Rule: "backoff-flat", Party: judge.Agent, Observed: "short wait"}},
	}
	for name, tc := range map[string]struct {
		change func(*judge.Verdict)
		want   []string
	}{
		"nothing": {func(*judge.Verdict) {}, nil},
		"what is no judgement": {func(v *judge.Verdict) {
			v.Findings[0].Repeat = "other"
			slices.Reverse(v.Findings)
		}, nil},
		"outcome and finding": {func(v *judge.Verdict) {
			v.Outcome = judge.Pass
			v.Findings = nil
		}, []string{
			"outcome was violation and is now pass", "gone: backoff-flat",
			"gone: duplicate-consequence on task t-1, intent c-1/1 submit",
		}},
		"another finding": {func(v *judge.Verdict) {
			v.Findings = append(v.Findings, judge.Finding{Rule: "dedup-not-atomic", Party: judge.Service, Observed: "two rows"})
		}, []string{"new: dedup-not-atomic (party: service): two rows"}},
		"other evidence": {func(v *judge.Verdict) {
			v.Findings[0].Records = []int{14, 31}
			v.Findings[0].Row = "conflict"
			v.Findings[0].Uncertain = true
		}, []string{`changed: duplicate-consequence on task t-1, intent c-1/1 submit: row was "unknown-queryable" and is now "conflict"; ` +
			`records was "#14, #31, #44" and is now "#14, #31"; it is no longer forced by the evidence`}},
		"more often": {func(v *judge.Verdict) { v.Findings = append(v.Findings, duplicate()) }, []string{
			"changed: duplicate-consequence on task t-1, intent c-1/1 submit was found once and is now found 2 times",
		}},
		"reasons, endings and consequences": {func(v *judge.Verdict) {
			v.Reasons = []string{"noise"}
			v.Ends = nil
			v.Counts = map[string]int{"approval": 1}
		}, []string{`reasons were none and are now "noise"`, "endings were completed and are now -", "consequences were approval ×2 and are now approval"}},
	} {
		t.Run(name, func(t *testing.T) {
			now := stored
			now.Findings = slices.Clone(stored.Findings)
			tc.change(&now)
			NewWithT(t).Expect(reports.Compare(stored, now)).To(Equal(tc.want))
		})
	}
}

func TestCompareOfAHostileAgentIsHarmless(t *testing.T) {
	g := NewWithT(t)
	bad := judge.Verdict{
		Outcome: hostile, Reasons: []string{hostile}, Ends: []string{hostile}, Counts: map[string]int{hostile: 1},
		Findings: []judge.Finding{{Rule: hostile, Intent: hostile, Observed: hostile, Party: hostile}},
	}
	for _, list := range [][]string{reports.Compare(judge.Verdict{}, bad), reports.Compare(bad, judge.Verdict{})} {
		g.Expect(len(list)).To(BeNumerically(">=", 5))
		g.Expect(raw(strings.Join(list, "\n"))).To(BeEmpty())
	}
}
