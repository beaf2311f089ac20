package reports_test

import (
	"encoding/xml"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

// The test's own reading of JUnit, after the schema that Jenkins publishes.
type (
	suites struct {
		Suites []suite `xml:"testsuite"`
	}
	suite struct {
		Tests      int        `xml:"tests,attr"`
		Failures   int        `xml:"failures,attr"`
		Errors     int        `xml:"errors,attr"`
		Skipped    int        `xml:"skipped,attr"`
		Properties []property `xml:"properties>property"`
		Cases      []testcase `xml:"testcase"`
	}
	property struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	testcase struct {
		Name    string  `xml:"name,attr"`
		Time    float64 `xml:"time,attr"`
		Failure *text   `xml:"failure"`
		Error   *text   `xml:"error"`
		Skipped *text   `xml:"skipped"`
	}
	text struct {
		Type    string `xml:"type,attr"`
		Message string `xml:"message,attr"`
		Body    string `xml:",chardata"`
	}
)

func parsed(t *testing.T, r *reports.Report) (suite, string) {
	t.Helper()
	g := NewWithT(t)
	out, err := r.JUnit()
	g.Expect(err).NotTo(HaveOccurred())
	var doc suites
	g.Expect(xml.Unmarshal(out, &doc)).To(Succeed())
	g.Expect(doc.Suites).NotTo(BeEmpty())
	return doc.Suites[0], string(out)
}

func TestJUnitHasOneCaseAScenario(t *testing.T) {
	g := NewWithT(t)
	s, out := parsed(t, sample())
	golden(t, "junit.xml", out)

	g.Expect([]int{s.Tests, s.Failures, s.Errors, s.Skipped}).To(Equal([]int{9, 2, 4, 1}))
	kind := map[string]string{}
	for _, c := range s.Cases {
		switch {
		case c.Failure != nil:
			kind[c.Name] = "failure " + c.Failure.Type
		case c.Error != nil:
			kind[c.Name] = "error " + c.Error.Type
		case c.Skipped != nil:
			kind[c.Name] = "skipped " + c.Skipped.Message
		default:
			kind[c.Name] = "pass"
		}
	}
	g.Expect(kind).To(Equal(map[string]string{
		"no-fault": "pass", "approver-declines": "pass",
		"lost-receipt":    "failure duplicate-consequence",
		"shaky":           "failure backoff-flat",
		"vacuous-one":     "error vacuous",
		"noisy":           "error undetermined",
		"broken-scenario": "error harness-error",
		"never-ran":       "error not-run",
		"withdraw-late":   "skipped the agent does not declare: withdraw",
	}))
}

func TestJUnitFailureTextIsTheFinding(t *testing.T) {
	g := NewWithT(t)
	s, _ := parsed(t, sample())
	for _, c := range s.Cases {
		if c.Name == "lost-receipt" {
			g.Expect(c.Failure.Message).To(Equal("duplicate-consequence: two approvals stand in the ledger for one confirmed version: A-1 (key k-1) and A-2 (key k-2)"))
			g.Expect(c.Failure.Body).To(ContainSubstring(reports.FindingText(duplicate())))
			g.Expect(c.Time).To(Equal(2.0))
		}
	}
}

func TestJUnitIsGreenOnlyForAPass(t *testing.T) {
	for name, change := range map[string]func(*reports.Report){
		"no scenario":        func(r *reports.Report) { r.Scenarios, r.Selected = nil, nil },
		"nothing applicable": func(r *reports.Report) { r.Scenarios[0].Verdict.Outcome = judge.NotApplicable },
		"interrupted at last": func(r *reports.Report) {
			r.Interrupted = &reports.Interruption{Reason: "interrupt"}
		},
		"one missing": func(r *reports.Report) { r.Selected = append(r.Selected, "b") },
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			r := head()
			r.Selected = []string{"a"}
			r.Add(reports.Scenario{ID: "a", Verdict: judge.Verdict{Outcome: judge.Pass}})
			change(r)
			r.Seal(0)
			s, _ := parsed(t, r)
			g.Expect(s.Failures + s.Errors).To(Equal(1))
			g.Expect(s.Tests).To(Equal(len(s.Cases)))
		})
	}
	s, _ := parsed(t, passing())
	NewWithT(t).Expect(s.Failures + s.Errors).To(BeZero())
}

func TestJUnitOfAHostileAgentIsWellFormedAndBounded(t *testing.T) {
	g := NewWithT(t)
	s, out := parsed(t, poisoned())
	g.Expect(s.Cases).To(HaveLen(5))
	g.Expect(raw(out)).To(BeEmpty())
	g.Expect(out).NotTo(ContainSubstring("<script"))
	g.Expect(len(out)).To(BeNumerically("<", 1<<20))
	for _, c := range s.Cases {
		if c.Failure != nil {
			g.Expect(c.Failure.Body).To(ContainSubstring("and 30 more findings in report.json"))
			g.Expect(strings.Count(c.Failure.Body, "\n  observed: ")).To(Equal(10))
		}
		g.Expect(c.Name).To(ContainSubstring(`\x1b[2J\x1b]0;owned\x07`), "escapes are shown, not acted on")
	}
}

func TestJUnitIsDeterministic(t *testing.T) {
	g := NewWithT(t)
	_, a := parsed(t, sample())
	_, b := parsed(t, sample())
	g.Expect(a).To(Equal(b))
}

func TestJUnitNamesTheAssumedGuarantees(t *testing.T) {
	s, _ := parsed(t, passing())
	NewWithT(t).Expect(s.Properties).To(ContainElements(
		property{Name: "assumption", Value: reports.ProductionMustVerify},
		property{Name: "assumed.purchase.buy", Value: "does not recognise a repeated identifier; can be looked up by identifier"},
	))
}
