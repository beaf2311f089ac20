package run

import (
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/reports"
)

// Reported is what a report says of one scenario: its results, at least one,
// in the order of their numbers.
func Reported(results ...Result) reports.Scenario {
	s := results[0].Job.Scenario
	out := reports.Scenario{
		ID: s.ID, Title: s.Title, Covers: s.Covers, Digest: scenario.Digest([]*scenario.Scenario{s}), File: s.File,
		Guarantees: results[0].Guarantees, Lacking: results[0].Lacking,
	}
	for _, r := range results {
		rep := reports.Repetition{N: r.Job.N, Outcome: r.Verdict.Outcome, Duration: r.Took, Problem: r.Problem, Verdict: r.Verdict, Output: r.Output}
		if r.Reason != "" && r.Job.Dir != "" {
			rep.Evidence, rep.HistoryDigest = reports.Evidence(s.ID, r.Job.N), r.HistoryDigest
		}
		out.Repetitions = append(out.Repetitions, rep)
	}
	return out
}
