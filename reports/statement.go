package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// Statement is the verdict of the run in words.
type Statement struct {
	_ struct{}

	// Verdict is one line: PASS, VIOLATION, HARNESS ERROR, NO VERDICT or NOTHING APPLICABLE, and what that means.
	Verdict string
	// Proves are sentences on what it does and does not prove.
	Proves []string
}

// Statement says in words what the report shows, and what it does not.
func (r *Report) Statement() Statement {
	t := r.Totals
	name := plain(r.Agent.Name, maxName)
	if name == "" {
		name = "the agent"
	}
	var s Statement
	switch r.Outcome {
	case judge.Pass:
		s.Verdict = fmt.Sprintf("PASS: %s followed the recovery contract in %s.", name, of(t.Pass, t.Ran))
	case judge.Violation:
		s.Verdict = fmt.Sprintf("VIOLATION: %s broke the recovery contract in %s.", name, of(t.Violation, t.Ran))
	case judge.HarnessError:
		s.Verdict = fmt.Sprintf("HARNESS ERROR: in %s the harness or the scenario failed, so that nothing can be said about %s.", of(t.HarnessError, t.Ran), name)
	case judge.NotApplicable:
		s.Verdict = fmt.Sprintf("NOTHING APPLICABLE: %s declares none of the capabilities that %s needs.", name, of(t.NotApplicable, t.Ran))
	case judge.Vacuous, judge.Undetermined:
		s.Verdict = "NO VERDICT: " + unsettled(r)
	default:
		s.Verdict = fmt.Sprintf("NO VERDICT: unknown outcome %q.", plain(string(r.Outcome), maxName))
	}
	s.Proves = proves(r)
	return s
}

func unsettled(r *Report) string {
	t := r.Totals
	if t.Ran == 0 {
		return "no scenario ran."
	}
	var parts []string
	if t.Vacuous > 0 {
		parts = append(parts, fmt.Sprintf("in %s a planned fault did not fire or the agent was never called", of(t.Vacuous, t.Ran)))
	}
	if t.Undetermined > 0 {
		parts = append(parts, fmt.Sprintf("in %s the evidence or the machine's noise allows none", of(t.Undetermined, t.Ran)))
	}
	if t.Missing > 0 {
		parts = append(parts, fmt.Sprintf("%s did not run", of(t.Missing, t.Selected)))
	}
	if len(parts) == 0 {
		parts = append(parts, "the run ended early")
	}
	return strings.Join(parts, "; ") + "."
}

func proves(r *Report) []string {
	t := r.Totals
	var list []string
	if r.Interrupted != nil {
		reason := plain(r.Interrupted.Reason, maxSentence)
		list = append(list, fmt.Sprintf("The run was interrupted (%s) with %s finished; what was finished is saved and judged.", reason, of(t.Ran, t.Selected)))
	} else if t.Missing > 0 && r.Outcome != judge.Undetermined && r.Outcome != judge.Vacuous {
		list = append(list, fmt.Sprintf("%s did not run: nothing is known there.", sentence(of(t.Missing, t.Selected))))
	}
	switch {
	case r.Outcome == judge.Violation && t.HarnessError+t.Vacuous+t.Undetermined > 0:
		list = append(list, "A violation is a counterexample: its records show it, whatever the scenarios without a verdict would have shown.")
	case r.Outcome == judge.Violation:
		list = append(list, "A violation is a counterexample: its records show it.")
	}
	if t.NotApplicable > 0 && r.Outcome != judge.NotApplicable {
		verbs := "were not applicable and are"
		if t.NotApplicable == 1 {
			verbs = "was not applicable and is"
		}
		list = append(list, fmt.Sprintf("%s %s not counted as passed.", sentence(of(t.NotApplicable, t.Ran)), verbs))
	}
	if !r.Complete() && r.Catalogue.Count > 0 {
		list = append(list, fmt.Sprintf("This is a part of the catalogue: %d of %s. It says nothing about the rest.", r.ofCatalogue(), count(r.Catalogue.Count)))
	}
	if r.Agent.Reference() {
		list = append(list, "The agent was lostreceipt's own reference: this checks the harness and says nothing about yours.")
	}
	if own := r.ownViolated(); len(own) > 0 && r.Agent.Reference() && r.Agent.Defect == "" {
		list = append(list, "A correct design breaks a scenario of your own: it expects what its services and faults give no ground for, and would accuse any agent: "+names(own, 100)+".")
	}
	if len(r.Agent.Quiet) > 0 {
		list = append(list, "Not judged through this door: "+names(r.Agent.Quiet, 100)+".")
	}
	return append(list, ProductionMustVerify)
}

// ownViolated are the scenarios from outside the catalogue that were violated.
func (r *Report) ownViolated() (ids []string) {
	for _, s := range r.Scenarios {
		if s.Outside && s.Verdict.Outcome == judge.Violation {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// count is "1 scenario" or "n scenarios".
func count(n int) string { return many(n, "scenario") }

// many is so many of something, as "1 run" or "2 runs".
func many(n int, noun string) string { return fmt.Sprintf("%d %s", n, plural(n, noun)) }

// plural is the noun for so many of something.
func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// of is "3 of 24 scenarios", or "all 24 scenarios".
func of(n, all int) string {
	switch {
	case n == all && n > 1:
		return fmt.Sprintf("all %d scenarios", all)
	case n == all:
		return count(all)
	}
	return fmt.Sprintf("%d of %s", n, count(all))
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// names lists names, at most limit of them, harmless.
func names(list []string, limit int) string {
	more := ""
	if n := len(list) - limit; n > 0 {
		list, more = list[:limit], fmt.Sprintf(" and %d more", n)
	}
	clean := make([]string, len(list))
	for i, s := range list {
		clean[i] = plain(s, maxName)
	}
	return strings.Join(clean, ", ") + more
}

// counted says how the scenarios ended: "24 scenarios: 20 passed, 1 vacuous".
func counted(t Totals) string {
	parts := []string{}
	for _, p := range []struct {
		n     int
		words string
	}{
		{t.Pass, "passed"},
		{t.Violation, plural(t.Violation, "violation")},
		{t.HarnessError, plural(t.HarnessError, "harness error")},
		{t.Vacuous, "vacuous"},
		{t.Undetermined, "undetermined"},
		{t.NotApplicable, "not applicable"},
		{t.Missing, "not run"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.words))
		}
	}
	if len(parts) == 0 {
		return count(t.Ran)
	}
	return count(t.Ran+t.Missing) + ": " + strings.Join(parts, ", ")
}

// ended is how a scenario ended: the result statuses of its tasks.
func ended(v judge.Verdict) string {
	if len(v.Ends) == 0 {
		return "-"
	}
	return names(v.Ends, 6)
}

// consequences says what stands in the ledgers: "approval, notification ×2".
func consequences(v judge.Verdict) string {
	var parts []string
	for _, kind := range sortedKeys(v.Counts) {
		switch n := v.Counts[kind]; {
		case n == 1:
			parts = append(parts, plain(kind, maxName))
		case n > 1:
			parts = append(parts, fmt.Sprintf("%s ×%d", plain(kind, maxName), n))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// complaints are the reasons of a scenario's verdict, and what went wrong with
// the evidence of its repetitions.
func complaints(s Scenario) []string {
	list := slices.Clone(s.Verdict.Reasons)
	for _, rep := range s.Repetitions {
		for line := range strings.Lines(rep.Problem) {
			line = strings.TrimSpace(line)
			if line != "" && !slices.Contains(s.Verdict.Reasons, line) {
				list = append(list, fmt.Sprintf("repetition %d: %s", rep.N, line))
			}
		}
	}
	return list
}
