package gate

import (
	"fmt"
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/fault"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
	"github.com/lostreceipt/lostreceipt/reports/harmless"
)

type scenario = reports.Scenario

const (
	fixAgent   = "correct the agent; report.html shows the records"
	fixHarness = "look at the evidence and at report.html; when it is not the machine, report it to lostreceipt"
)

// outcomes asks how each scenario ended.
func (d *decider) outcomes() {
	var vacuous, undetermined []string
	for _, s := range d.report.Scenarios {
		for _, rep := range s.Repetitions {
			if rep.Problem != "" {
				d.fail("evidence", s.ID, "make room for the evidence and run again", "repetition %d of %s: %s", rep.N, line(s.ID), rep.Problem)
			}
		}
		outcome := s.Verdict.Outcome
		if outcome == judge.Violation {
			outcome = d.violation(s)
		}
		switch outcome {
		case judge.Pass, judge.Violation:
		case judge.Vacuous:
			vacuous = append(vacuous, s.ID)
		case judge.Undetermined:
			undetermined = append(undetermined, s.ID)
		case judge.NotApplicable:
			d.notApplicable(s)
		default:
			d.fail("harness-error", s.ID, fixHarness, "the harness or the scenario failed in %s%s", line(s.ID), because(s.Verdict))
		}
	}
	if n := len(vacuous); n > d.policy.Vacuous {
		d.fail("vacuous", "", "look at why their faults did not fire; allow.vacuous may allow some",
			"%s vacuous, and %d may be: %s", are(n), d.policy.Vacuous, some(vacuous))
	}
	if n := len(undetermined); n > d.policy.Undetermined {
		d.fail("undetermined", "", "run them again on a quieter machine or with a larger --time-scale; allow.undetermined may allow some",
			"%s undetermined, and %d may be: %s", are(n), d.policy.Undetermined, some(undetermined))
	}
}

func because(v judge.Verdict) string {
	if len(v.Reasons) == 0 {
		return ""
	}
	return ": " + harmless.Line(v.Reasons[0], 500)
}

// violation asks whether every finding that decides is waived. It returns how
// the scenario counts then; a violation that is one has been said.
func (d *decider) violation(s scenario) judge.Outcome {
	if s.Cut() {
		d.fail("violation", s.ID, fixAgent, "%s has more findings than the report holds, so that no waiver can excuse it", line(s.ID))
		return judge.Violation
	}
	against, others := decisive(s.Verdict)
	excused := d.excused(s.ID, against) && d.excused(s.ID, others) && d.repeated(s)
	switch {
	case !excused:
		return judge.Violation
	case len(s.Verdict.Findings) == 0:
		d.fail("violation", s.ID, fixAgent, "%s is violated, and the report does not say by what%s", line(s.ID), because(s.Verdict))
		return judge.Violation
	case s.Verdict.Hidden == "" && len(s.Verdict.Reasons) > 0:
		d.fail("violation", s.ID, runAgain, "what was found in %s is waived, and the report does not say how it ended otherwise%s", line(s.ID), because(s.Verdict))
		return judge.Violation
	case s.Verdict.Hidden == judge.Violation: // nothing that a judge writes
		return judge.HarnessError
	}
	return otherwise(s)
}

// otherwise is how a scenario counts whose findings are waived: as the rest of
// what decided it, and as the worst of its other repetitions.
func otherwise(s scenario) judge.Outcome {
	left := []judge.Outcome{s.Verdict.Hidden}
	if s.Verdict.Hidden == "" {
		left[0] = judge.Pass
	}
	for _, rep := range s.Repetitions {
		switch {
		case rep.Outcome != judge.Violation:
			left = append(left, rep.Outcome)
		case rep.Hidden != "":
			left = append(left, rep.Hidden)
		}
	}
	return judge.Worst(left)
}

// repeated tells whether every repetition is excused: the verdict holds the
// findings of one, and another may have been violated by another rule.
func (d *decider) repeated(s scenario) bool {
	var violated []reports.Repetition
	for _, rep := range s.Repetitions {
		if rep.Outcome == judge.Violation {
			violated = append(violated, rep)
		}
	}
	all := true
	for n, rep := range violated {
		if n > 0 && len(rep.Rules) == 0 {
			d.fail("violation", s.ID, runAgain, "%s was violated %d times, and the report does not say by what in repetition %d", line(s.ID), len(violated), rep.N)
			return false
		}
		for _, rule := range rep.Rules {
			if !d.waived(s.ID, rule) {
				d.rules.add(rule, s.ID, fmt.Sprintf("in repetition %d", rep.N))
				all = false
			}
		}
	}
	return all
}

// excused tells whether all of the findings are waived. Those that are not are
// reasons.
func (d *decider) excused(scenario string, findings []judge.Finding) bool {
	all := true
	for _, f := range findings {
		if !d.waived(scenario, f.Rule) {
			d.rules.add(f.Rule, scenario, f.Observed)
			all = false
		}
	}
	return all
}

// decisive are the findings on which a violation may rest: those that the
// evidence forces, against the agent and against others. One against a service
// decides only where a scenario says that its rule must never fire. A report
// does not tell, so it counts when nothing against the agent is left.
func decisive(v judge.Verdict) (against, others []judge.Finding) {
	for _, f := range v.Findings {
		switch {
		case reports.Accuses(f):
			against = append(against, f)
		case reports.Decides(f):
			others = append(others, f)
		}
	}
	return against, others
}

// waived finds the waiver of a finding. An expired one excuses too: that it has
// expired is a reason of its own, and one is enough.
func (d *decider) waived(scenario, rule string) bool {
	for i, w := range d.policy.Waivers {
		if w.Scenario == scenario && w.Rule == rule {
			d.used[i] = true
			return true
		}
	}
	return false
}

func (d *decider) notApplicable(s scenario) {
	if len(s.Lacking) == 0 {
		d.fail("not-applicable", s.ID, runAgain, "%s was not applicable, and the report does not say why", line(s.ID))
	}
	for _, capability := range s.Lacking {
		if capability == fault.Processes && d.report.Stack == "embedded" {
			continue // the services lack it, and not the agent
		}
		if !slices.Contains(d.policy.NotApplicable, capability) {
			d.lacking.add(capability, s.ID, "")
		}
	}
}

// waivers asks whether each waiver still holds and still excuses something.
func (d *decider) waivers() {
	for i, w := range d.policy.Waivers {
		where := fmt.Sprintf("the waiver in line %d (%s in %s, owner %s)", w.Line, line(w.Rule), line(w.Scenario), line(w.Owner))
		if w.expired(d.now) {
			d.fail("waiver-expired", w.Scenario, "correct the agent, or let the owner decide anew and set another day",
				"%s held until %s", where, w.Expires.Format("2006-01-02"))
		}
		if !d.used[i] && !d.has(w.Scenario) {
			near := ""
			if meant := fault.NearestName(w.Scenario, d.ids()); meant != "" {
				near = fmt.Sprintf(" (did you mean %q?)", line(meant))
			}
			d.fail("waiver-unknown", w.Scenario, "correct the waiver in "+d.policyName()+", or take it out", "%s: there is no such scenario%s", where, near)
			continue
		}
		if !d.used[i] {
			d.fail("waiver-stale", w.Scenario, "take the waiver out of "+d.policyName(), "%s excuses nothing: the rule does not fire there", where)
		}
	}
}

// has tells whether a scenario is of the catalogue or of the report.
func (d *decider) has(id string) bool { return slices.Contains(d.ids(), id) }

// ids are the scenarios of the catalogue and of the report.
func (d *decider) ids() []string {
	ids := d.known.scenarios()
	for _, s := range d.report.Scenarios {
		ids = append(ids, s.ID)
	}
	return append(ids, d.report.Catalogue.IDs...)
}
