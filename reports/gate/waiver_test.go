package gate_test

import (
	"slices"
	"testing"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
	"github.com/lostreceipt/lostreceipt/reports/gate"
)

func TestAWaiverExcusesNoMoreThanItSays(t *testing.T) {
	failsClosed(t, map[string]failing{
		"a waived violation that may rest on what a service did": {
			report: func(r *reports.Report) {
				in(r, "held", broken("backoff-flat", "dedup-not-atomic"))
				in(r, "held", func(s *reports.Scenario) { s.Verdict.Findings[1].Party = judge.Service })
			},
			policy: func(p *gate.Policy) { p.Waivers = []gate.Waiver{waiver("held", "backoff-flat")} },
			codes:  []string{"violation"}, says: "held: dedup-not-atomic: observed of dedup-not-atomic",
		},
		"one of two findings waived": {
			report: func(r *reports.Report) { in(r, "held", broken("duplicate-consequence", "backoff-flat")) },
			policy: func(p *gate.Policy) { p.Waivers = []gate.Waiver{waiver("held", "backoff-flat")} },
			codes:  []string{"violation"}, says: "held: duplicate-consequence: observed of duplicate-consequence",
		},
		"a waiver for another scenario": {
			report: func(r *reports.Report) { in(r, "held", broken("backoff-flat")) },
			policy: func(p *gate.Policy) { p.Waivers = []gate.Waiver{waiver("no-fault", "backoff-flat")} },
			codes:  []string{"violation", "waiver-stale"},
		},
		"a waived violation beside a fault that did not fire": {
			report: func(r *reports.Report) { in(r, "held", hiding(judge.Vacuous, "fault f-1 did not fire")) },
			policy: func(p *gate.Policy) { p.Waivers = []gate.Waiver{waiver("held", "backoff-flat")} },
			codes:  []string{"vacuous"}, says: "1 scenario is vacuous, and 0 may be: held",
		},
		"a waived violation beside what allows no verdict": {
			report: func(r *reports.Report) { in(r, "held", hiding(judge.Undetermined, "the run was broken off")) },
			policy: func(p *gate.Policy) {
				p.Vacuous, p.Waivers = 1, []gate.Waiver{waiver("held", "backoff-flat")}
			},
			codes: []string{"undetermined"}, says: "1 scenario is undetermined, and 0 may be: held",
		},
		"a waived violation beside a failure of the harness": {
			report: func(r *reports.Report) { in(r, "held", hiding(judge.HarnessError, "a fake service broke its promise")) },
			policy: func(p *gate.Policy) { p.Waivers = []gate.Waiver{waiver("held", "backoff-flat")} },
			codes:  []string{"harness-error"}, says: "the harness or the scenario failed in held: a fake service broke its promise",
		},
		"a waived violation beside a repetition that is vacuous": {
			report: func(r *reports.Report) {
				in(r, "held", hiding(judge.Pass))
				in(r, "held", func(s *reports.Scenario) {
					s.Repetitions = []reports.Repetition{{N: 1, Outcome: judge.Violation}, {N: 2, Outcome: judge.Vacuous}}
				})
			},
			policy: func(p *gate.Policy) { p.Waivers = []gate.Waiver{waiver("held", "backoff-flat")} },
			codes:  []string{"vacuous"}, says: "1 scenario is vacuous, and 0 may be: held",
		},
		"a waived violation, and another one in another repetition": {
			report: func(r *reports.Report) {
				in(r, "held", hiding(judge.Pass))
				in(r, "held", func(s *reports.Scenario) {
					s.Repetitions = []reports.Repetition{
						{N: 1, Outcome: judge.Violation, Rules: []string{"backoff-flat"}},
						{N: 2, Outcome: judge.Violation, Rules: []string{"backoff-flat", "duplicate-consequence"}},
					}
				})
			},
			policy: func(p *gate.Policy) { p.Waivers = []gate.Waiver{waiver("held", "backoff-flat")} },
			codes:  []string{"violation"}, says: "held: duplicate-consequence: in repetition 2",
		},
		"a waived violation in every repetition": {
			report: func(r *reports.Report) {
				in(r, "held", hiding(judge.Pass))
				in(r, "held", func(s *reports.Scenario) {
					s.Repetitions = []reports.Repetition{
						{N: 1, Outcome: judge.Violation, Rules: []string{"backoff-flat"}},
						{N: 2, Outcome: judge.Violation, Rules: []string{"backoff-flat"}, Hidden: judge.Vacuous},
					}
				})
			},
			policy: func(p *gate.Policy) { p.Waivers = []gate.Waiver{waiver("held", "backoff-flat")} },
			codes:  []string{"vacuous"},
		},
		"a waived violation, and a repetition of which an older report does not say by what": {
			report: func(r *reports.Report) {
				in(r, "held", hiding(judge.Pass))
				in(r, "held", func(s *reports.Scenario) {
					s.Repetitions = []reports.Repetition{{N: 1, Outcome: judge.Violation}, {N: 2, Outcome: judge.Violation}}
				})
			},
			policy: func(p *gate.Policy) { p.Waivers = []gate.Waiver{waiver("held", "backoff-flat")} },
			codes:  []string{"violation"}, says: "held was violated 2 times, and the report does not say by what in repetition 2",
		},
		"a waived violation of an older report with a reason": {
			report: func(r *reports.Report) { in(r, "held", hiding("", "fault f-1 did not fire")) },
			policy: func(p *gate.Policy) {
				p.Vacuous, p.Waivers = 1, []gate.Waiver{waiver("held", "backoff-flat")}
			},
			codes: []string{"violation"},
			says:  "what was found in held is waived, and the report does not say how it ended otherwise: fault f-1 did not fire\n    run the whole catalogue again with this lostreceipt\n",
		},
		"a waived violation with more findings than the report holds": {
			report: func(r *reports.Report) { in(r, "held", broken(slices.Repeat([]string{"backoff-flat"}, 50)...)) },
			policy: func(p *gate.Policy) { p.Waivers = []gate.Waiver{waiver("held", "backoff-flat")} },
			codes:  []string{"violation", "waiver-stale"},
		},
		"an expired waiver": {
			report: func(r *reports.Report) { in(r, "held", broken("backoff-flat")) },
			policy: func(p *gate.Policy) {
				p.Waivers = []gate.Waiver{waiver("held", "backoff-flat")}
				p.Waivers[0].Expires = time.Date(2027, 1, 14, 0, 0, 0, 0, time.UTC)
			},
			codes: []string{"waiver-expired"}, says: "the waiver in line 7 (backoff-flat in held, owner payments) held until 2027-01-14",
		},
		"a waived rule that no longer fires": {
			policy: func(p *gate.Policy) { p.Waivers = []gate.Waiver{waiver("held", "backoff-flat")} },
			codes:  []string{"waiver-stale"}, says: "the waiver in line 7 (backoff-flat in held, owner payments) excuses nothing: the rule does not fire there",
		},
		"a waiver for a scenario that there is not": {
			policy: func(p *gate.Policy) { p.Waivers = []gate.Waiver{waiver("lost-reciept", "backoff-flat")} },
			codes:  []string{"waiver-unknown"},
			says:   `the waiver in line 7 (backoff-flat in lost-reciept, owner payments): there is no such scenario (did you mean "lost-receipt"?)` + "\n    correct the waiver in gate.yaml, or take it out\n",
		},
	})
}
