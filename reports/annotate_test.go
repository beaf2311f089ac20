package reports_test

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

func lines(r *reports.Report) (list []string) {
	for _, a := range r.Annotations() {
		list = append(list, a.String())
	}
	return list
}

func TestAnnotationsNameWhatKeepsAReportFromPassing(t *testing.T) {
	r := sample()
	for i := range r.Scenarios {
		if r.Scenarios[i].ID == "lost-receipt" {
			r.Scenarios[i].File = "scenarios/approval/lost-receipt.yaml"
		}
	}
	r.SelfTest = bitten()
	golden(t, "annotations.txt", strings.Join(lines(r), "\n")+"\n")
	NewWithT(t).Expect(passing().Annotations()).To(BeEmpty())
}

// command reads a workflow command as GitHub's runner does.
func command(line string) (properties map[string]string, message string, ok bool) {
	head, message, found := strings.Cut(strings.TrimPrefix(line, "::error "), "::")
	if !found || !strings.HasPrefix(line, "::error ") || strings.ContainsAny(line, "\r\n") {
		return nil, "", false
	}
	unescape := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
	properties = map[string]string{}
	for _, p := range strings.Split(head, ",") {
		name, value, _ := strings.Cut(p, "=")
		properties[name] = unescape.Replace(value)
	}
	return properties, strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n").Replace(message), true
}

func TestAnnotationsOfAHostileAgentAreOneCommandEach(t *testing.T) {
	g := NewWithT(t)
	r := poisoned()
	v := judge.Verdict{Outcome: judge.Vacuous, Reasons: []string{"50%25 of it\n::error::x"}}
	r.Scenarios = append(r.Scenarios, reports.Scenario{ID: "100%0A::error::x, y: z", File: "a,b:c%.yaml", Verdict: v}, reports.Scenario{ID: "b", File: "../../etc/passwd", Verdict: v})
	found := false
	for _, line := range lines(r) {
		properties, message, ok := command(line)
		g.Expect(ok).To(BeTrue(), line)
		for name := range properties {
			g.Expect(name).To(BeElementOf("file", "line", "title"), line)
		}
		g.Expect(raw(line)).To(BeEmpty())
		g.Expect(len(line)).To(BeNumerically("<", 20_000))
		g.Expect(properties["file"]).NotTo(ContainSubstring("passwd"))
		if properties["file"] == "a,b:c%.yaml" {
			found = true
			g.Expect(properties["title"]).To(Equal("vacuous: 100%0A::error::x, y: z"))
			g.Expect(message).To(Equal("50%25 of it ::error::x"))
		}
	}
	g.Expect(found).To(BeTrue())
}

func TestAnnotationsAreBounded(t *testing.T) {
	g := NewWithT(t)
	r := head()
	for n := range 60 {
		r.Add(reports.Scenario{ID: fmt.Sprint(n), Verdict: judge.Verdict{Outcome: judge.Vacuous}})
	}
	r.Add(reports.Scenario{ID: "last", Verdict: judge.Verdict{Outcome: judge.Violation, Findings: []judge.Finding{duplicate()}}})
	list := r.Annotations()
	g.Expect(list).To(HaveLen(50))
	g.Expect(list[0].Title).To(Equal("duplicate-consequence in last"), "what is worst comes first")
	g.Expect(list[49].Message).To(Equal("and 12 more remarks: they stand in report.html and report.json"))
}

func TestAnnotationsAreMadeOnGitHub(t *testing.T) {
	g := NewWithT(t)
	g.Expect(reports.OnGitHub([]string{"A=b", "GITHUB_ACTIONS=true"})).To(BeTrue())
	g.Expect(reports.OnGitHub([]string{"GITHUB_ACTIONS=false"})).To(BeFalse())
	g.Expect(reports.OnGitHub(nil)).To(BeFalse())
}
