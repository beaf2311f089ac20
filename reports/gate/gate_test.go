package gate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
	"github.com/lostreceipt/lostreceipt/reports/gate"
)

const hostile = "\x1b[2J\u202e<script>\r\n::error::x"

// today is when the gate is asked.
func today() time.Time { return time.Date(2027, 1, 15, 10, 0, 0, 0, time.UTC) }

func known() gate.Known {
	return gate.Known{
		Scenarios: map[string]string{"lost-receipt": "sha256:1", "no-fault": "sha256:2", "held": "sha256:3"},
		Catalogue: "sha256:cat", Contract: "con",
		Requirements: []string{"C1", "C2"}, Rows: []string{"first-send", "in-doubt"}, Rules: []string{"backoff-flat", "duplicate-consequence"},
		Families: []string{"truth", "bounds"}, Capabilities: []string{"purchase", "withdraw"},
		Designs: []string{"reference"}, Defects: []string{"new-key"},
	}
}

// strict is a policy with everything required.
func strict() *gate.Policy {
	return &gate.Policy{
		File: "gate.yaml", Agent: "my-agent", AllRequirements: true, AllRows: true, SelfTest: true,
	}
}

func waiver(scenario, rule string) gate.Waiver {
	return gate.Waiver{Scenario: scenario, Rule: rule, Owner: "payments", Reason: "until the client is replaced", Expires: time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC), Line: 7}
}

// good is a report that meets the strict policy.
func good() *reports.Report {
	r := reports.New()
	r.Started = today().Add(-time.Hour)
	r.Agent = reports.Agent{Name: "my-agent", Build: "b-7", Kind: reports.KindCommand, Command: []string{"python3", "adapter.py"}}
	r.Contract = reports.Contract{Version: "1", Digest: "con", Rows: []reports.Row{{ID: "first-send"}, {ID: "in-doubt"}}}
	r.Catalogue = reports.Catalogue{Digest: "sha256:cat", Count: 3, IDs: []string{"held", "lost-receipt", "no-fault"}}
	for id, digest := range known().Scenarios {
		r.Selected = append(r.Selected, id)
		r.Scenarios = append(r.Scenarios, reports.Scenario{
			ID: id, Digest: digest, Covers: []string{"C1", "C2"},
			Repetitions: []reports.Repetition{{N: 1, Outcome: judge.Pass}},
			Verdict:     judge.Verdict{Outcome: judge.Pass, Calls: 2, Cells: []judge.Cell{{Row: "first-send"}, {Row: "in-doubt", Phase: "replied", Effect: "reset"}}},
		})
	}
	r.SelfTest = &reports.SelfTest{
		Designs: []reports.Design{{Name: "reference", Outcome: judge.Pass, Scenarios: 3}},
		Kills:   []reports.Kill{{Defect: "new-key", Rule: "identifier-changed", Scenario: "lost-receipt", Result: reports.Killed}},
	}
	r.Seal(time.Second)
	return r
}

// in changes the verdict of one scenario.
func in(r *reports.Report, id string, change func(*reports.Scenario)) {
	i := slices.IndexFunc(r.Scenarios, func(s reports.Scenario) bool { return s.ID == id })
	change(&r.Scenarios[i])
}

func broken(rules ...string) func(*reports.Scenario) {
	return func(s *reports.Scenario) {
		s.Verdict.Outcome = judge.Violation
		for _, rule := range rules {
			s.Verdict.Findings = append(s.Verdict.Findings, judge.Finding{Rule: rule, Party: judge.Agent, Observed: "observed of " + rule})
		}
	}
}

// hiding is a violation beside which the history has another outcome.
func hiding(o judge.Outcome, reasons ...string) func(*reports.Scenario) {
	return func(s *reports.Scenario) {
		broken("backoff-flat")(s)
		s.Verdict.Hidden, s.Verdict.Reasons = o, reasons
	}
}

func ended(o judge.Outcome, reasons ...string) func(*reports.Scenario) {
	return func(s *reports.Scenario) { s.Verdict.Outcome, s.Verdict.Reasons = o, reasons }
}

// evidence is one history with which something is wrong.
func evidence(what string) func(*gate.Known) {
	return func(k *gate.Known) {
		k.Evidence = &reports.EvidenceCheck{Same: 2, Problems: []reports.HistoryProblem{{Scenario: "held", N: 1, Path: "runs/held/1/history.jsonl", What: what}}}
	}
}

func TestTheGateSaysWhatItHasSeenOfTheEvidence(t *testing.T) {
	g := NewWithT(t)
	k := known()
	k.Evidence = &reports.EvidenceCheck{Unseen: 3, Why: "no runs stand beside the report"}
	d := gate.Decide(good(), strict(), k, today())
	g.Expect(d.Passed).To(BeTrue())
	g.Expect(d.Text()).To(Equal("- the evidence of 3 runs was not looked at: no runs stand beside the report\nGATE PASS: my-agent meets gate.yaml in 3 scenarios.\n"))
	k.Evidence = &reports.EvidenceCheck{Same: 3}
	g.Expect(gate.Decide(good(), strict(), k, today()).Evidence).To(Equal("the evidence of 3 runs is what the run wrote (SHA-256)"))
}

func TestAReportThatProvesEverythingPasses(t *testing.T) {
	g := NewWithT(t)
	d := gate.Decide(good(), strict(), known(), today())
	g.Expect(d.Reasons).To(BeEmpty())
	g.Expect(d.Passed).To(BeTrue())
	g.Expect(d.Text()).To(Equal("GATE PASS: my-agent meets gate.yaml in 3 scenarios.\n"))
	g.Expect(d.Page().Passed).To(BeTrue())
}

// failing is a way to fail closed: the codes of the reasons, and what one says.
type failing struct {
	report func(*reports.Report)
	policy func(*gate.Policy)
	known  func(*gate.Known)
	codes  []string
	says   string
}

func TestTheGateFailsClosed(t *testing.T) {
	failsClosed(t, map[string]failing{
		"the built-in reference": {
			report: func(r *reports.Report) { r.Agent.Kind = reports.KindReference }, codes: []string{"reference"},
			says: "the report is about lostreceipt's own reference agent, which says nothing about yours",
		},
		"the reference as a command": {
			report: func(r *reports.Report) {
				r.Agent.Command = []string{"./bin/lostreceipt", "agent", "--design", "cautious"}
			}, codes: []string{"reference"},
		},
		"another agent": {
			report: func(r *reports.Report) { r.Agent.Name = "other" }, codes: []string{"other-agent"},
			says: `the report is about the agent "other", and the policy about "my-agent"`,
		},
		"evidence that is not there": {
			known: evidence(reports.HistoryMissing), codes: []string{"evidence-missing"},
			says: "the report names 1 history that is not there: runs/held/1/history.jsonl",
		},
		"evidence that was changed": {
			known: evidence(reports.HistoryChanged), codes: []string{"evidence-changed"},
			says: "the report names 1 history that is not what the run wrote, by SHA-256: runs/held/1/history.jsonl",
		},
		"evidence whose digest was taken away": {
			known: evidence(reports.HistoryUndigested), codes: []string{"evidence-undigested"},
			says: "the report was changed: it names 1 history that is without a SHA-256, and others with one: runs/held/1/history.jsonl",
		},
		"evidence that cannot be read": {
			known: evidence(reports.HistoryUnreadable), codes: []string{"evidence-unreadable"},
			says: "the report names 1 history that is there and cannot be read: runs/held/1/history.jsonl",
		},
		"another build": {
			policy: func(p *gate.Policy) { p.Build = "b-8" }, codes: []string{"other-build"},
			says: `the report is about the build "b-7", and "b-8" is to be released`,
		},
		"no build": {
			report: func(r *reports.Report) { r.Agent.Build = "" }, policy: func(p *gate.Policy) { p.Build = "b-8" }, codes: []string{"other-build"},
			says: `the report does not say which build of the agent ran, and "b-8" is to be released`,
		},
		"an old run": {
			report: func(r *reports.Report) { r.Started = today().Add(-25 * time.Hour) }, policy: func(p *gate.Policy) { p.MaxAge = 24 * time.Hour },
			codes: []string{"stale"}, says: "the run began 25h0m0s ago, and it may be 24h0m0s",
		},
		"a run at no time": {
			report: func(r *reports.Report) { r.Started = time.Time{} }, policy: func(p *gate.Policy) { p.MaxAge = 24 * time.Hour }, codes: []string{"stale"},
		},
		"a run that is still to come": {
			report: func(r *reports.Report) { r.Started = today().Add(2 * time.Hour) }, policy: func(p *gate.Policy) { p.MaxAge = 24 * time.Hour }, codes: []string{"stale"},
		},
		"a pass without a run": {
			report: func(r *reports.Report) { in(r, "held", func(s *reports.Scenario) { s.Repetitions = nil }) }, codes: []string{"nothing"},
			says: "1 scenario is said to have passed, and the report holds no run of them: held",
		},
		"nobody called anything": {
			report: func(r *reports.Report) {
				for i := range r.Scenarios {
					r.Scenarios[i].Verdict.Calls = 0
				}
			}, codes: []string{"nothing"}, says: "no call to a service was recorded in any scenario that passed",
		},
		"a run that was interrupted": {
			report: func(r *reports.Report) { r.Interrupted = &reports.Interruption{Reason: "terminated"} }, codes: []string{"interrupted"},
			says: "the run was interrupted: terminated",
		},
		"one shard": {
			report: func(r *reports.Report) { r.Shard = &reports.Shard{Index: 1, Of: 3} }, codes: []string{"shard"},
			says: "the report is one part of a divided run: shard 1/3",
		},
		"a scenario that was selected and did not run": {
			report: func(r *reports.Report) { r.Selected = append(r.Selected, "mine") }, codes: []string{"not-run"},
			says: "1 scenario was selected and did not run: mine",
		},
		"a missing scenario": {
			report: func(r *reports.Report) { r.Scenarios, r.Selected = r.Scenarios[1:], r.Selected[1:] }, codes: []string{"incomplete"},
			says: "1 scenario is of the catalogue and not in the report: held",
		},
		"a missing scenario, hidden by its name": {
			report: func(r *reports.Report) {
				r.Scenarios, r.Selected = r.Scenarios[1:], r.Selected[1:]
				r.Catalogue.Count, r.Catalogue.IDs = 2, r.Catalogue.IDs[1:]
			}, codes: []string{"incomplete"}, says: "1 scenario is of the catalogue and not in the report: held",
		},
		"a scenario from outside in the place of one of the catalogue": {
			report: func(r *reports.Report) { in(r, "held", func(s *reports.Scenario) { s.Outside = true }) }, codes: []string{"incomplete"},
		},
		"a scenario of the catalogue with another text": {
			report: func(r *reports.Report) { in(r, "held", func(s *reports.Scenario) { s.Digest = "sha256:9" }) }, codes: []string{"changed"},
			says: "the text of 1 scenario is not that of the catalogue: held",
		},
		"no catalogue": {
			report: func(r *reports.Report) { r.Catalogue = reports.Catalogue{} }, codes: []string{"catalogue", "incomplete"},
		},
		"no catalogue, and none is known": {
			report: func(r *reports.Report) { r.Catalogue = reports.Catalogue{} }, known: func(k *gate.Known) { k.Catalogue, k.Scenarios = "", nil },
			codes: []string{"incomplete"}, says: "the report names no catalogue, so nothing shows that it is complete",
		},
		"a catalogue that counts more than it names": {
			report: func(r *reports.Report) { r.Catalogue.Count = 4 }, codes: []string{"incomplete"}, says: "the catalogue has 4 scenarios, names 3 and 3 ran",
		},
		"another catalogue": {
			report: func(r *reports.Report) { r.Catalogue.Digest = "sha256:old" }, codes: []string{"catalogue"},
			says: "the scenarios are of the catalogue sha256:old, and sha256:cat is required",
		},
		"another catalogue than the policy names": {
			policy: func(p *gate.Policy) { p.Catalogue = "sha256:own" }, codes: []string{"catalogue"},
		},
		"another contract": {
			report: func(r *reports.Report) { r.Contract.Digest = "old" }, codes: []string{"contract"},
			says: "the scenarios were judged by the contract old, and con is required",
		},
		"a violation": {
			report: func(r *reports.Report) { in(r, "held", broken("duplicate-consequence")) }, codes: []string{"violation"},
			says: "held: duplicate-consequence: observed of duplicate-consequence",
		},
		"the same violation twice is one reason": {
			report: func(r *reports.Report) {
				in(r, "held", broken("duplicate-consequence", "duplicate-consequence"))
				in(r, "no-fault", broken("backoff-flat", "duplicate-consequence"))
			}, codes: []string{"violation", "violation"},
			says: "duplicate-consequence in 2 scenarios: held, no-fault\n    correct the agent; report.html shows the records\n✗ no-fault: backoff-flat: observed of backoff-flat\n",
		},
		"a violation without a finding": {
			report: func(r *reports.Report) { in(r, "held", ended(judge.Violation)) }, codes: []string{"violation"},
			says: "held is violated, and the report does not say by what",
		},
		"a violation by what a service did": {
			report: func(r *reports.Report) {
				in(r, "held", broken("dedup-not-atomic"))
				in(r, "held", func(s *reports.Scenario) { s.Verdict.Findings[0].Party = judge.Service })
			}, codes: []string{"violation"},
		},
		"a harness error": {
			report: func(r *reports.Report) { in(r, "held", ended(judge.HarnessError, "a rule panics")) }, codes: []string{"harness-error"},
			says: "the harness or the scenario failed in held: a rule panics",
		},
		"an outcome that is not known": {
			report: func(r *reports.Report) { in(r, "held", ended("excellent")) }, codes: []string{"harness-error"},
		},
		"a vacuous scenario": {
			report: func(r *reports.Report) { in(r, "held", ended(judge.Vacuous)) }, codes: []string{"vacuous"},
			says: "1 scenario is vacuous, and 0 may be: held",
		},
		"more undetermined scenarios than may be": {
			report: func(r *reports.Report) {
				in(r, "held", ended(judge.Undetermined))
				in(r, "no-fault", ended(judge.Undetermined))
			},
			policy: func(p *gate.Policy) { p.Undetermined = 1 }, codes: []string{"undetermined"},
			says: "2 scenarios are undetermined, and 1 may be: held, no-fault",
		},
		"a scenario that is not applicable": {
			report: func(r *reports.Report) {
				in(r, "held", ended(judge.NotApplicable))
				in(r, "held", func(s *reports.Scenario) { s.Lacking = []string{"withdraw", "purchase"} })
			},
			policy: func(p *gate.Policy) { p.NotApplicable = []string{"purchase"} }, codes: []string{"not-applicable"},
			says: `held was not applicable: the agent does not declare "withdraw"`,
		},
		"a scenario that is not applicable for no reason": {
			report: func(r *reports.Report) { in(r, "held", ended(judge.NotApplicable)) }, codes: []string{"not-applicable"},
		},
		"nothing but what is not applicable": {
			report: func(r *reports.Report) {
				for i := range r.Scenarios {
					ended(judge.NotApplicable)(&r.Scenarios[i])
					r.Scenarios[i].Lacking = []string{"purchase"}
				}
			},
			policy: func(p *gate.Policy) { *p = gate.Policy{NotApplicable: []string{"purchase"}} },
			codes:  []string{"nothing"}, says: "no scenario shows anything about the agent",
		},
		"no scenario at all": {
			report: func(r *reports.Report) { r.Scenarios, r.Selected, r.Catalogue = nil, nil, reports.Catalogue{} },
			policy: func(p *gate.Policy) { *p = gate.Policy{} }, known: func(k *gate.Known) { *k = gate.Known{} },
			codes: []string{"incomplete", "nothing"},
		},
		"evidence that could not be saved": {
			report: func(r *reports.Report) {
				in(r, "held", func(s *reports.Scenario) {
					s.Repetitions = []reports.Repetition{{N: 2, Outcome: judge.Pass, Problem: "no space left on device"}}
				})
			}, codes: []string{"evidence"}, says: "repetition 2 of held: no space left on device",
		},
		"a door that shows less": {
			report: func(r *reports.Report) { r.Agent.Door, r.Agent.Quiet = "openai", []string{"truth", "bounds"} },
			policy: func(p *gate.Policy) { p.Unjudged = []string{"bounds"} }, codes: []string{"unjudged"},
			says: `rules of the family "truth" cannot be judged through the door "openai"`,
		},
		"a requirement that nothing covers": {
			policy: func(p *gate.Policy) { p.AllRequirements, p.Requirements = false, []string{"C1", "C9"} }, codes: []string{"requirement"},
			says: "1 requirement is not covered by a scenario that passed: C9",
		},
		"a requirement that only a waived violation covers": {
			report: func(r *reports.Report) {
				for i := range r.Scenarios {
					r.Scenarios[i].Covers = []string{"C1"}
				}
				in(r, "held", broken("backoff-flat"))
				in(r, "held", func(s *reports.Scenario) { s.Covers = []string{"C2"} })
			},
			policy: func(p *gate.Policy) { p.Waivers = []gate.Waiver{waiver("held", "backoff-flat")} },
			codes:  []string{"requirement"}, says: "1 requirement is not covered by a scenario that passed: C2",
		},
		"all requirements, and none is known": {known: func(k *gate.Known) { k.Requirements = nil }, codes: []string{"requirement"}},
		"a row that nothing met": {
			known: func(k *gate.Known) { k.Rows = append(k.Rows, "stopped") }, codes: []string{"row"}, says: "1 row is not met in a scenario that passed: stopped",
		},
		"a row of an own contract that nothing met": {
			report: func(r *reports.Report) {
				r.Contract.Digest, r.Contract.Rows = "own", append(r.Contract.Rows, reports.Row{ID: "own-row"})
			},
			policy: func(p *gate.Policy) { p.Contract = "own" }, codes: []string{"row"}, says: "1 row is not met in a scenario that passed: own-row",
		},
		"all rows, and none is named": {
			report: func(r *reports.Report) { r.Contract = reports.Contract{Digest: "own"} }, policy: func(p *gate.Policy) { p.Contract = "own" }, codes: []string{"row"},
			says: "all rows are required, and the report does not name the contract's rows",
		},
		"no self-test": {
			report: func(r *reports.Report) { r.SelfTest = nil }, codes: []string{"self-test"},
			says: "the report holds no self-test, so that nothing shows that the judge bites",
		},
		"a self-test that a defect survives": {
			report: func(r *reports.Report) { r.SelfTest.Kills[0].Result = reports.Survived }, codes: []string{"self-test"},
			says: "defect new-key is not killed by identifier-changed; survived in lost-receipt",
		},
		"a self-test without one of the defects": {
			known: func(k *gate.Known) { k.Defects = append(k.Defects, "no-jitter") }, codes: []string{"self-test"}, says: "the self-test is not whole: no-jitter",
		},
	})
}

func failsClosed(t *testing.T, cases map[string]failing) {
	t.Helper()
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			r, p, k := good(), strict(), known()
			if tc.report != nil {
				tc.report(r)
			}
			if tc.policy != nil {
				tc.policy(p)
			}
			if tc.known != nil {
				tc.known(&k)
			}
			d := gate.Decide(r, p, k, today())
			var codes []string
			for _, reason := range d.Reasons {
				codes = append(codes, reason.Code)
				g.Expect(reason.Do).NotTo(BeEmpty(), "it says what to do")
			}
			g.Expect(codes).To(Equal(tc.codes), d.Text())
			g.Expect(d.Passed).To(BeFalse())
			g.Expect(d.Text()).To(And(ContainSubstring("✗ "+tc.says), HaveSuffix(".\n"), ContainSubstring("\nGATE FAIL: ")))
			g.Expect(d.Page().Reasons).To(HaveLen(len(codes)))
		})
	}
}

func TestWhatThePolicyAllowsPasses(t *testing.T) {
	for name, tc := range map[string]struct {
		report func(*reports.Report)
		policy func(*gate.Policy)
	}{
		"no policy": {policy: func(p *gate.Policy) { *p = gate.Policy{} }},
		"the reference in its own CI": {
			func(r *reports.Report) { r.Agent.Kind = reports.KindReference }, func(p *gate.Policy) { p.AllowReference = true },
		},
		"the build that is asked for, of today": {policy: func(p *gate.Policy) { p.Build, p.MaxAge = "b-7", 24*time.Hour }},
		"some undetermined": {
			func(r *reports.Report) { in(r, "held", ended(judge.Undetermined)) }, func(p *gate.Policy) { p.Undetermined = 1 },
		},
		"some vacuous": {func(r *reports.Report) { in(r, "held", ended(judge.Vacuous)) }, func(p *gate.Policy) { p.Vacuous = 1 }},
		"what is not applicable": {func(r *reports.Report) {
			in(r, "held", ended(judge.NotApplicable))
			in(r, "held", func(s *reports.Scenario) { s.Lacking = []string{"purchase"} })
		}, func(p *gate.Policy) { p.NotApplicable = []string{"purchase"} }},
		"a waived violation beside a fault that may not have fired": {func(r *reports.Report) { in(r, "held", hiding(judge.Vacuous, "fault f-1 did not fire")) }, func(p *gate.Policy) {
			p.Vacuous, p.Waivers = 1, []gate.Waiver{waiver("held", "backoff-flat")}
		}},
		"a waiver on its last day": {func(r *reports.Report) { in(r, "held", broken("backoff-flat")) }, func(p *gate.Policy) {
			p.Waivers = []gate.Waiver{waiver("held", "backoff-flat")}
			p.Waivers[0].Expires = time.Date(2027, 1, 15, 0, 0, 0, 0, time.UTC)
		}},
		"findings that accuse nobody": {func(r *reports.Report) {
			in(r, "held", func(s *reports.Scenario) {
				s.Verdict.Findings = []judge.Finding{{Rule: "dedup-not-atomic", Party: judge.Service}}
			})
		}, nil},
		"scenarios of one's own besides": {func(r *reports.Report) {
			r.Selected = append(r.Selected, "mine")
			r.Scenarios = append(r.Scenarios, reports.Scenario{
				ID: "mine", Outside: true, Verdict: judge.Verdict{Outcome: judge.Pass}, Repetitions: []reports.Repetition{{N: 1, Outcome: judge.Pass}},
			})
		}, nil},
		"another catalogue that is named": {func(r *reports.Report) { r.Catalogue.Digest = "sha256:own" }, func(p *gate.Policy) { p.Catalogue = "sha256:own" }},
	} {
		t.Run(name, func(t *testing.T) {
			r, p := good(), strict()
			if tc.report != nil {
				tc.report(r)
			}
			if tc.policy != nil {
				tc.policy(p)
			}
			d := gate.Decide(r, p, known(), today())
			NewWithT(t).Expect(d.Passed).To(BeTrue(), d.Text())
		})
	}
}

func TestADecisionTellsWhatToDoAndWhatWasWaived(t *testing.T) {
	g := NewWithT(t)
	r, p := good(), strict()
	in(r, "held", broken("backoff-flat"))
	in(r, "no-fault", broken("duplicate-consequence"))
	p.Waivers = []gate.Waiver{waiver("held", "backoff-flat")}
	d := gate.Decide(r, p, known(), today())
	before := good()
	in(before, "held", broken("backoff-flat"))
	in(before, "lost-receipt", ended(judge.Vacuous))
	var err error
	d.Baseline, err = gate.Compare(before, r)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(d.Text()).To(Equal(`✗ no-fault: duplicate-consequence: observed of duplicate-consequence
    correct the agent; report.html shows the records
- waived until 2027-01-31: backoff-flat in held, owner payments: until the client is replaced
- since the baseline: 1 new, 1 fixed, 1 unchanged
- new: duplicate-consequence in no-fault
- fixed: vacuous in lost-receipt
- unchanged: backoff-flat in held
GATE FAIL: my-agent does not meet gate.yaml: 1 reason, with 1 waiver.
`))
}

func TestCompareSaysWhatMakesReportsHardToCompare(t *testing.T) {
	g := NewWithT(t)
	before, now := good(), good()
	in(before, "held", broken("backoff-flat", "backoff-flat"))
	before.Catalogue.Digest, before.Contract.Digest = "sha256:old", "old"
	now.Scenarios = slices.DeleteFunc(now.Scenarios, func(s reports.Scenario) bool { return s.ID == "held" })
	c, err := gate.Compare(before, now)
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(c.Fixed).To(BeEmpty(), "what did not run is not fixed")
	g.Expect(c.Notes).To(HaveLen(3))
	g.Expect(c.Notes[2]).To(Equal("1 finding of the baseline in scenarios that did not run now: neither fixed nor unchanged"))

	before.Agent.Name = "other"
	_, err = gate.Compare(before, now)
	g.Expect(err).To(MatchError(`the baseline is about the agent "other" and the report about "my-agent": name an earlier report of the same agent`))
}

func TestWhatADecisionSaysIsHarmless(t *testing.T) {
	g := NewWithT(t)
	r, p := good(), strict()
	r.Agent.Name, r.Catalogue.Digest, r.Agent.Quiet = hostile, hostile, []string{hostile}
	r.Interrupted = &reports.Interruption{Reason: hostile}
	r.Selected = append(r.Selected, hostile)
	r.Scenarios = append(r.Scenarios, reports.Scenario{ID: hostile, Lacking: []string{hostile}, Verdict: judge.Verdict{Outcome: judge.NotApplicable}})
	in(r, "held", broken(hostile))
	in(r, "no-fault", ended(judge.HarnessError, hostile+strings.Repeat("long ", 10_000)))
	p.Waivers = []gate.Waiver{waiver(hostile, hostile)}
	p.File = hostile
	text := gate.Decide(r, p, known(), today()).Text()
	g.Expect(len(text)).To(BeNumerically("<", 10_000))
	for i, c := range text {
		g.Expect(c == '\n' || c >= ' ' && c != 0x202e).To(BeTrue(), fmt.Sprintf("%U behind %q", c, text[max(0, i-60):i]))
	}
	for _, l := range strings.Split(text, "\n") {
		g.Expect(l).NotTo(HavePrefix("::"), "no command of a CI system begins a line")
	}
}
