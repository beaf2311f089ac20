package requirement_test

import (
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/requirement"
)

func TestAListIsReadAsItIsWritten(t *testing.T) {
	g := NewWithT(t)
	l, err := requirement.Parse("r.yaml", []byte(`
version: 1
sections:
  - id: A
    title: first
    requirements:
      - id: A01
        statement: one
      - id: A02
        statement: two
        shown_by: {instead_of: [rule, defect], why: nobody can, tests: [harness/judge.TestIt]}
  - id: B
    title: second
    requirements: [{id: B1, statement: three}]
`))
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(l.IDs()).To(Equal([]string{"A01", "A02", "B1"}))
	g.Expect(l.SectionIDs()).To(Equal([]string{"A", "B"}))
	g.Expect(l.All()[1]).To(Equal(requirement.Requirement{
		ID: "A02", Statement: "two", ShownBy: requirement.ShownBy{
			InsteadOf: []requirement.Column{requirement.Rule, requirement.Defect}, Why: "nobody can", Tests: []string{"harness/judge.TestIt"},
		},
	}))
	section, err := l.Section("B")
	g.Expect(err).NotTo(HaveOccurred())
	g.Expect(section.Title).To(Equal("second"))
	_, err = l.Section("b")
	g.Expect(err).To(MatchError(`unknown section "b": one of A, B`))
}

func TestMistakesOfAListComeAtOnceWithTheirPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"its sense": {`
version: 1
sections:
  - id: A
    title: first
    requirements:
      - {id: A01, statement: one}
      - {id: A01, statement: two}
      - {id: B02, statement: " "}
      - {id: A, statement: none}
      - {id: A03, statement: x, shown_by: {instead_of: [scenarios], why: y, tests: [TestIt]}}
      - {id: A04, statement: x, shown_by: {why: y, tests: [reports.TestIt]}}
      - {id: A05, statement: x, shown_by: {instead_of: [rule], why: y}}
      - {id: A06, statement: x, shown_by: {instead_of: [rule], tests: [reports.TestIt]}}
  - id: a
    title: second
`, []string{
			`r.yaml:7:14: A01 stands in line 6 already`,
			`r.yaml:8:14: the id of a requirement of section A is A and a number, not "B02"`,
			`r.yaml:8:14: B02 says nothing: its statement is empty`,
			`r.yaml:9:14: the id of a requirement of section A is A and a number, not "A"`,
			`r.yaml:9:14: A stands in line 3 already`,
			`r.yaml:10:57: "scenarios" is no column: one of [scenario rule defect]`,
			`r.yaml:10:85: "TestIt" names no test: write its folder and its name, such as reports.TestIt`,
			`r.yaml:11:14: shown_by of A04 says instead of which columns, why, and by which tests`,
			`r.yaml:12:14: shown_by of A05 says instead of which columns, why, and by which tests`,
			`r.yaml:13:14: shown_by of A06 says instead of which columns, why, and by which tests`,
			`r.yaml:14:9: the id of a section is a capital letter, not "a"`,
			`r.yaml:14:9: section a has no requirements`,
		}},
		"no version":      {"sections: []", []string{`r.yaml: version is 0, and this program reads version 1`}},
		"no sections":     {"version: 1", []string{`r.yaml: the file has no sections`}},
		"an unknown word": {"version: 1\nsektions: []", []string{`r.yaml: yaml: construct errors: line 2: field sektions not found in type requirement.file`}},
	} {
		t.Run(name, func(t *testing.T) {
			g := NewWithT(t)
			l, err := requirement.Parse("r.yaml", []byte(strings.TrimPrefix(c.text, "\n")))
			g.Expect(l).To(BeNil())
			g.Expect(err).To(HaveOccurred())
			g.Expect(strings.Split(err.Error(), "\n")).To(Equal(c.want))
		})
	}
}
