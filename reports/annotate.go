package reports

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// maxAnnotations is how many annotations a report makes. GitHub shows fewer of
// one step, so that what is worst comes first.
const maxAnnotations = 50

// Annotation is one remark that GitHub shows at a file of a pull request.
type Annotation struct {
	_ struct{}

	File    string // relative to the repository; "" for a remark on the whole run
	Title   string
	Message string // may have several lines
}

// OnGitHub tells whether the environment is that of a GitHub Actions step.
// environ has the form of os.Environ.
func OnGitHub(environ []string) bool { return slices.Contains(environ, "GITHUB_ACTIONS=true") }

// String is the workflow command that makes the annotation, one line. Nothing
// in its texts can end it or begin another.
func (a Annotation) String() string {
	place := ""
	if a.File != "" {
		place = "file=" + property(a.File) + ",line=1,"
	}
	return fmt.Sprintf("::error %stitle=%s::%s", place, property(a.Title), data(a.Message))
}

// data escapes the text of a workflow command.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property escapes a property of a workflow command.
func property(s string) string { return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s)) }

// Annotations are remarks on what keeps the report from being a pass: a finding
// each, and a reason for a scenario without a verdict. Worst first; at most 50.
func (r *Report) Annotations() []Annotation {
	var list []Annotation
	for _, s := range r.worstFirst() {
		list = append(list, s.annotations()...)
	}
	for _, id := range r.Missing() {
		list = append(list, Annotation{Title: "not run: " + plain(id, maxName), Message: r.whyMissing()})
	}
	if r.SelfTest != nil {
		for _, p := range r.SelfTest.Problems() {
			list = append(list, Annotation{Title: "self-test of the judge", Message: plain(p, maxSentence)})
		}
	}
	if n := len(list) - maxAnnotations; n > 0 {
		list = append(list[:maxAnnotations-1], Annotation{
			Title: "lostreceipt", Message: fmt.Sprintf("and %d more remarks: they stand in %s and %s", n+1, pageName, reportName),
		})
	}
	return list
}

func (s Scenario) annotations() (list []Annotation) {
	if s.Verdict.Outcome == judge.Pass || s.Verdict.Outcome == judge.NotApplicable {
		return nil
	}
	file := ""
	if clean := path.Clean(s.File); s.File != "" && !path.IsAbs(clean) && !strings.HasPrefix(clean, "..") {
		file = plain(clean, maxSentence)
	}
	id := plain(s.ID, maxName)
	for _, f := range s.Verdict.Findings {
		if s.Verdict.Outcome == judge.Violation && !Accuses(f) {
			continue
		}
		list = append(list, Annotation{File: file, Title: heading(f) + " in " + id, Message: remark(f)})
	}
	if len(list) == 0 {
		text := plain(s.Title, 300)
		if len(s.Verdict.Reasons) > 0 {
			text = plain(s.Verdict.Reasons[0], maxSentence)
		}
		list = append(list, Annotation{File: file, Title: plain(string(s.Verdict.Outcome), maxName) + ": " + id, Message: text})
	}
	return list
}

// remark is a finding in a few lines.
func remark(f judge.Finding) string {
	lines := []string{plain(f.Observed, maxSentence)}
	for _, p := range []struct{ label, text string }{
		{"records", numbers(f.Records)},
		{"correct", plain(f.Correct, maxSentence)},
		{inference, plain(f.Cause, maxSentence)},
		{"repeat", plain(f.Repeat, maxCommand)},
	} {
		if p.text != "" {
			lines = append(lines, p.label+": "+p.text)
		}
	}
	return strings.Join(lines, "\n")
}
