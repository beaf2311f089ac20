package requirement_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/requirement"
)

func list(t *testing.T, text string) *requirement.List {
	t.Helper()
	l, err := requirement.Parse("r.yaml", []byte(text))
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	return l
}

const three = `
version: 1
sections:
  - id: A
    title: a
    requirements:
      - {id: A01, statement: one}
      - {id: A02, statement: two, shown_by: {instead_of: [rule, defect], why: y, tests: [reports.TestIt]}}
      - {id: A03, statement: three}
`

func TestCitationsAreJoinedToRequirementsAndGapsShow(t *testing.T) {
	g := NewWithT(t)
	covers, err := list(t, three).Cover([]requirement.Citation{
		{Column: requirement.Scenario, By: "lost", IDs: []string{"A01", "A02"}},
		{Column: requirement.Scenario, By: "late", IDs: []string{"A01", "A01"}},
		{Column: requirement.Rule, By: "twice", IDs: []string{"A01"}},
		{Column: requirement.Defect, By: "new-key", IDs: []string{"A01"}},
	})
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(covers).To(HaveLen(3))
	g.Expect(covers[0].By).To(Equal(map[requirement.Column][]string{
		requirement.Scenario: {"lost", "late"}, requirement.Rule: {"twice"}, requirement.Defect: {"new-key"},
	}))
	g.Expect(covers[0].Gaps()).To(BeEmpty())
	g.Expect(covers[1].Gaps()).To(BeEmpty())
	g.Expect(covers[1].Elsewhere()).To(Equal([]requirement.Column{requirement.Rule, requirement.Defect}))
	g.Expect(covers[2].ID).To(Equal("A03"))
	g.Expect(covers[2].Gaps()).To(Equal([]requirement.Column{requirement.Scenario, requirement.Rule, requirement.Defect}))
}

func TestACitationOfNothingNamesWhoMakesIt(t *testing.T) {
	_, err := list(t, three).Cover([]requirement.Citation{
		{Column: requirement.Rule, By: "twice", IDs: []string{"A1", "A01"}},
		{Column: requirement.Defect, By: "new-key", IDs: []string{"colour"}},
	})
	NewWithT(t).Expect(err).To(MatchError("rule twice covers: unknown requirement \"A1\" (did you mean \"A01\"?)\n" +
		"defect new-key covers: unknown requirement \"colour\": lostreceipt list requirements names them all"))
}

func TestWhatShowsARequirementElsewhereExists(t *testing.T) {
	g := NewWithT(t)
	const root = "../.."
	text, err := os.ReadFile(filepath.Join(root, "scenarios/requirements.yaml"))
	g.Expect(err).NotTo(HaveOccurred())
	for _, r := range list(t, string(text)).All() {
		for _, test := range r.ShownBy.Tests {
			folder, name, _ := strings.Cut(test, ".")
			files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
			g.Expect(err).NotTo(HaveOccurred())
			found := false
			for _, file := range files {
				text, err := os.ReadFile(file)
				g.Expect(err).NotTo(HaveOccurred())
				found = found || strings.Contains(string(text), "func "+name+"(")
			}
			g.Expect(found).To(BeTrue(), "%s: there is no test %s", r.ID, test)
		}
	}
}
