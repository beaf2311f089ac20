package reports

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// The elements of JUnit XML, as Jenkins, GitLab and GitHub actions read it.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Timestamp  string          `xml:"timestamp,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitProblem `xml:"failure"`
		Error   *junitProblem `xml:"error"`
		Skipped *junitSkipped `xml:"skipped"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
)

// JUnit is the report as JUnit XML: one test case a scenario. Violations are
// failures; vacuous and undetermined scenarios, harness errors and scenarios
// that did not run are errors; what is not applicable is skipped. A report that
// is not a pass always holds a failure or an error, if need be in one more case
// that stands for the run, so that CI does not show it green. A self-test is a
// suite of its own: a case for each correct design and each defect.
func (r *Report) JUnit() ([]byte, error) {
	suite := junitSuite{
		Name:       "lostreceipt",
		Time:       seconds(r.Duration),
		Timestamp:  r.Started.UTC().Format("2006-01-02T15:04:05"),
		Properties: r.properties(),
	}
	for _, s := range r.Scenarios {
		suite.Cases = append(suite.Cases, testCase(s))
	}
	for _, id := range r.Missing() {
		suite.Cases = append(suite.Cases, junitCase{
			Class: suite.Name, Name: plain(id, maxName), Time: seconds(0),
			Error: &junitProblem{Type: "not-run", Message: "did not run: " + r.whyMissing()},
		})
	}
	suite.count()
	if r.Outcome != judge.Pass && suite.Failures+suite.Errors == 0 {
		s := r.Statement()
		suite.Cases = append(suite.Cases, junitCase{
			Class: suite.Name, Name: "the run as a whole", Time: seconds(0),
			Error: &junitProblem{Type: plain(string(r.Outcome), maxName), Message: plain(s.Verdict, maxSentence), Text: strings.Join(s.Proves, "\n")},
		})
		suite.count()
	}
	all := junitSuites{Name: suite.Name, Time: suite.Time, Suites: []junitSuite{suite}}
	if r.SelfTest != nil {
		all.Suites = append(all.Suites, r.SelfTest.junit(suite.Timestamp))
	}
	for _, s := range all.Suites {
		all.Tests, all.Failures, all.Errors, all.Skipped = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors, all.Skipped+s.Skipped
	}
	out, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("junit: %w", err)
	}
	// Line ends are kept readable. They stand only between tags: attributes are one line each.
	out = bytes.ReplaceAll(out, []byte("&#xA;"), []byte{'\n'})
	return append([]byte(xml.Header), append(out, '\n')...), nil
}

func (s *junitSuite) count() {
	s.Tests, s.Failures, s.Errors, s.Skipped = len(s.Cases), 0, 0, 0
	for _, c := range s.Cases {
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
}

func (r *Report) whyMissing() string {
	if r.Interrupted != nil {
		return "the run was interrupted: " + plain(r.Interrupted.Reason, maxSentence)
	}
	return "it was selected and has no result"
}

// properties say who was tested, by what, and what was assumed.
func (r *Report) properties() []junitProperty {
	list := []junitProperty{
		{"outcome", string(r.Outcome)},
		{"agent", r.Agent.Name},
		{"agent.kind", r.Agent.Kind},
		{"agent.design", r.Agent.Design},
		{"agent.defect", r.Agent.Defect},
		{"agent.command", strings.Join(r.Agent.Command, " ")},
		{"harness", r.Harness.Version},
		{"contract", r.Contract.Version},
		{"contract.digest", r.Contract.Digest},
		{"catalogue.digest", r.Catalogue.Digest},
		{"catalogue.ran", fmt.Sprintf("%d of %d", r.ofCatalogue(), r.Catalogue.Count)},
		{"seed", fmt.Sprint(r.Seed)},
		{"time-scale", fmt.Sprint(r.Scale)},
		{"noise", r.Noise.String()},
		{"repeat", r.Repeat},
		{"assumption", r.Assumption},
	}
	for _, a := range r.Assumed {
		list = append(list, junitProperty{"assumed." + a.Operation, a.Words})
	}
	for _, l := range r.NotApplicable {
		list = append(list, junitProperty{"not-applicable", l.Capability})
	}
	kept := list[:0]
	for _, p := range list {
		if p.Value != "" {
			kept = append(kept, junitProperty{plain(p.Name, maxName), plain(p.Value, maxSentence)})
		}
	}
	return kept
}

func testCase(s Scenario) junitCase {
	v := s.Verdict
	c := junitCase{
		Class: "lostreceipt", Name: plain(s.ID, maxName), Time: seconds(s.Duration),
		Out: fmt.Sprintf("%s\nverdict: %s\nends: %s\nconsequences: %s\n", plain(s.Title, maxSentence), outcomeWords(s), ended(v), consequences(v)),
	}
	problem := &junitProblem{Type: plain(string(v.Outcome), maxName), Message: summary(v), Text: account(s)}
	switch v.Outcome {
	case judge.Pass:
	case judge.NotApplicable:
		c.Skipped = &junitSkipped{Message: summary(v)}
		if len(s.Lacking) > 0 {
			c.Skipped.Message = "the agent does not declare: " + names(s.Lacking, 20)
		}
	case judge.Violation:
		if len(v.Findings) > 0 {
			problem.Type = plain(v.Findings[0].Rule, maxName)
		}
		c.Failure = problem
	default:
		c.Error = problem
	}
	return c
}

// summary is a verdict in one line: the first finding, else the first reason.
func summary(v judge.Verdict) string {
	switch {
	case len(v.Findings) > 0:
		return heading(v.Findings[0]) + ": " + plain(v.Findings[0].Observed, 300)
	case len(v.Reasons) > 0:
		return plain(v.Reasons[0], 300)
	}
	return plain(string(v.Outcome), maxName)
}

// account is all that a verdict says, bounded.
func account(s Scenario) string {
	v, reasons := s.Verdict, complaints(s)
	var out strings.Builder
	out.WriteByte('\n')
	for _, reason := range bounded(reasons, maxShown) {
		out.WriteString(plain(reason, maxSentence) + "\n")
	}
	left(&out, "", len(reasons)-maxShown, "reasons")
	for _, f := range bounded(v.Findings, maxShown) {
		out.WriteString(FindingText(f))
	}
	left(&out, "", len(v.Findings)-maxShown, "findings")
	return out.String()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
