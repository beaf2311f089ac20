package reports

import (
	"fmt"
	"strings"

	"github.com/lostreceipt/lostreceipt/reports/page"
)

// facts keeps those that have a value.
type facts []page.Fact

func (f *facts) add(name, value string) {
	if value != "" {
		*f = append(*f, page.Fact{Name: name, Value: plain(value, maxSentence)})
	}
}

func (f *facts) exact(name, value string) {
	if value != "" {
		*f = append(*f, page.Fact{Name: name, Value: plain(value, maxSentence), Exact: true})
	}
}

// headFacts say who was tested and when.
func (r *Report) headFacts() []page.Fact {
	var f facts
	f.add("Agent", r.Agent.Name)
	f.add("Kind", described(Agent{Kind: r.Agent.Kind, Design: r.Agent.Design, Defect: r.Agent.Defect}))
	if !r.Started.IsZero() {
		f.add("Started", r.Started.UTC().Format("2 January 2006, 15:04:05 UTC"))
	}
	f.add("Took", span(r.Duration))
	f.add("Findings", r.findings())
	f.exact("Contract", join(" ", "version "+r.Contract.Version, brief(r.Contract.Digest)))
	f.exact("Catalogue", brief(r.Catalogue.Digest))
	return f
}

// findings counts them, and those that count against the agent.
func (r *Report) findings() string {
	against := 0
	for _, s := range r.Scenarios {
		for _, f := range s.Verdict.Findings {
			if Accuses(f) {
				against++
			}
		}
	}
	switch against {
	case r.Totals.Findings:
		return fmt.Sprint(against)
	case 0:
		return fmt.Sprintf("%d, none against the agent", r.Totals.Findings)
	}
	return fmt.Sprintf("%d, %d of them against the agent", r.Totals.Findings, against)
}

// brief is the beginning of a digest.
func brief(digest string) string {
	_, hex, ok := strings.Cut(digest, ":")
	if !ok {
		hex = digest
	}
	if len(hex) > 12 {
		hex = hex[:12]
	}
	return hex
}

func join(sep string, parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, sep)
}

// runFacts are everything that somebody needs to judge or repeat the run.
func (r *Report) runFacts() []page.Fact {
	var f facts
	f.exact("agent's command", strings.Join(r.Agent.Command, " "))
	f.add("door", r.Agent.Door)
	f.add("declared absent", names(r.Agent.Lacks, 50))
	f.exact("contract digest", r.Contract.Digest)
	f.exact("catalogue digest", r.Catalogue.Digest)
	f.exact("seed", fmt.Sprint(r.Seed))
	f.exact("time scale", fmt.Sprintf("%g", r.Scale))
	f.add("noise", span(r.Noise))
	f.add("stack", r.Stack)
	l := r.Limits
	f.add("attempt time-out", span(l.AttemptTimeout))
	f.add("attempts", fmt.Sprint(l.MaxAttempts))
	f.add("back-off", fmt.Sprintf("%s doubling to %s, up to %.0f %% less", span(l.BackoffBase), span(l.BackoffMax), 100*l.BackoffJitter))
	f.add("verification period", span(l.VerificationPeriod))
	f.add("retention", span(l.Retention))
	f.exact("lostreceipt", join(" ", r.Harness.Version, r.Harness.Commit))
	f.add("machine", join(", ", join("/", r.Harness.OS, r.Harness.Arch), fmt.Sprintf("%d CPUs", r.Harness.CPUs), r.Harness.Go))
	return f
}
