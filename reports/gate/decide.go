package gate

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/reports"
	"github.com/lostreceipt/lostreceipt/reports/harmless"
)

// Schema names the form of a decision as JSON.
const Schema = "lostreceipt.gate/v1"

// Decision is what a gate says of a report. Its strings are harmless text.
type Decision struct {
	_ struct{}

	Schema  string   `json:"schema"`
	Passed  bool     `json:"passed"`
	Verdict string   `json:"verdict"` // one line
	Policy  string   `json:"policy"`
	Reasons []Reason `json:"reasons"` // why it does not pass; empty when it does
	Waived  []Waiver `json:"waived"`  // waivers that excuse something
	// Evidence says whether the stored histories are what the run wrote, or why they were not looked at; "" when
	// nothing is known of them.
	Evidence string `json:"evidence,omitempty"`
	// Baseline is the comparison with an earlier report, where one was given.
	Baseline *Comparison `json:"baseline,omitempty"`
}

// Reason is one thing that keeps a report from passing.
type Reason struct {
	_ struct{}

	Code      string   `json:"code"` // stable, kebab-case
	Rule      string   `json:"rule,omitempty"`
	Scenarios []string `json:"scenarios,omitempty"`
	Text      string   `json:"text"` // what is wrong
	Do        string   `json:"do"`   // what to do about it
}

// Decide holds a report against a policy. It reads no clock: now is when the
// waivers are looked at.
func Decide(r *reports.Report, p *Policy, known Known, now time.Time) *Decision {
	if p == nil {
		p = &Policy{}
	}
	d := &decider{report: r, policy: p, known: known, now: now, used: make([]bool, len(p.Waivers))}
	d.identity()
	d.whole()
	d.evidence()
	d.outcomes()
	d.grouped()
	d.covered()
	d.selfTest()
	d.waivers()
	out := &Decision{Schema: Schema, Passed: len(d.reasons) == 0, Policy: d.policyName(), Reasons: d.reasons, Waived: []Waiver{}}
	if out.Reasons == nil {
		out.Reasons = []Reason{}
	}
	if known.Evidence != nil {
		out.Evidence = harmless.Line(known.Evidence.String(), 500)
	}
	for i, w := range p.Waivers {
		if d.used[i] && !w.expired(now) {
			out.Waived = append(out.Waived, w)
		}
	}
	out.Verdict = d.verdict(len(out.Waived))
	return out
}

type decider struct {
	report  *reports.Report
	policy  *Policy
	known   Known
	now     time.Time
	used    []bool // by waiver
	reasons []Reason
	rules   groups // what was violated, by rule
	lacking groups // what is not applicable, by capability
}

// fail notes a reason. All texts are made harmless.
func (d *decider) fail(code, scenario, do, format string, args ...any) *Reason {
	r := Reason{Code: code, Text: harmless.Line(fmt.Sprintf(format, args...), 2000), Do: harmless.Line(do, 2000)}
	if scenario != "" {
		r.Scenarios = []string{line(scenario)}
	}
	d.reasons = append(d.reasons, r)
	return &d.reasons[len(d.reasons)-1]
}

func line(s string) string { return harmless.Line(s, 120) }

// some names a few of many.
func some(names []string) string {
	const most = 10
	clean := make([]string, 0, most)
	for _, n := range names[:min(most, len(names))] {
		clean = append(clean, line(n))
	}
	text := strings.Join(clean, ", ")
	if n := len(names) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

func count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

func (d *decider) policyName() string {
	if d.policy.File == "" {
		return "the default policy"
	}
	return line(d.policy.File)
}

func (d *decider) verdict(waived int) string {
	text := fmt.Sprintf("%s meets %s in %s", line(d.report.Agent.Name), d.policyName(), count(len(d.report.Scenarios), "scenario"))
	if len(d.reasons) > 0 {
		text = fmt.Sprintf("%s does not meet %s: %s", line(d.report.Agent.Name), d.policyName(), count(len(d.reasons), "reason"))
	}
	if waived > 0 {
		text += fmt.Sprintf(", with %s", count(waived, "waiver"))
	}
	return text + "."
}

// identity asks whom the report is about.
func (d *decider) identity() {
	a := d.report.Agent
	own := len(a.Command) > 1 && strings.TrimSuffix(filepath.Base(a.Command[0]), ".exe") == "lostreceipt" && a.Command[1] == "agent"
	if (a.Reference() || own) && !d.policy.AllowReference {
		d.fail("reference", "", "run the catalogue against your own agent: lostreceipt run -- COMMAND",
			"the report is about lostreceipt's own reference agent, which says nothing about yours")
	}
	if want := d.policy.Agent; want != "" && a.Name != want {
		d.fail("other-agent", "", "name the report of the agent that is to be released, or correct agent.name in "+d.policyName(),
			"the report is about the agent %q, and the policy about %q", line(a.Name), line(want))
	}
	switch want := d.policy.Build; {
	case want == "" || a.Build == want:
	case a.Build == "":
		d.fail("other-build", "", "run with --build "+line(want), "the report does not say which build of the agent ran, and %q is to be released", line(want))
	default:
		d.fail("other-build", "", "run the catalogue against the build that is to be released", "the report is about the build %q, and %q is to be released", line(a.Build), line(want))
	}
	for _, family := range a.Quiet {
		if !slices.Contains(d.policy.Unjudged, family) {
			d.fail("unjudged", "", "drive the agent through another door, or allow it with allow.unjudged",
				"rules of the family %q cannot be judged through the door %q", line(family), line(a.Door))
		}
	}
}
