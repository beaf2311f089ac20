package contract_test

import (
	"strings"
	"testing"

	"github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// last takes whatever is left, so that a table is complete.
const last = "  - id: rest\n"

func TestATableWithMistakesNamesThemAllWithTheirPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []any
	}{
		"what is written": {"version: 1\ncolour: blue\nrows:\n" + `
  - id: one
    when: {standing: [unset], is: [cancelled], not: [cancelled]}
    allow: [submitt, {if: x}, {do: void, is: [revised], not: [revised]}]
    must: [sleep]
  - id: one
  - when: {}
  - id: Two_3
    when: {standing: [], is: [protected], not: [idempotent]}
  - id: three
    id: four
    when: later
    must: escalate
`, []any{
			`c.yaml:2:1: unknown field "colour": one of [rows version]`,
			gomega.HavePrefix(`c.yaml:6:23: unknown standing "unset": one of [unsent `),
			`c.yaml:6:11: cancelled cannot both hold and not hold: the row can never match`,
			gomega.HavePrefix(`c.yaml:7:13: unknown action "submitt": one of [submit `),
			`c.yaml:7:23: unknown field "if": one of [do is not standing]`,
			`c.yaml:7:22: a permit needs ` + "`do`" + `, the action that it allows`,
			`c.yaml:7:31: revised cannot both hold and not hold: the permit can never apply`,
			gomega.HavePrefix(`c.yaml:8:12: unknown duty "sleep": one of [`),
			`c.yaml:9:5: row "one" stands in line 5 already`,
			`c.yaml:10:5: a row without an id`,
			`c.yaml:12:22: the list of standings is empty: leave it out where any will do`,
			`c.yaml:12:11: what is protected is idempotent: the row can never match`,
			`c.yaml:11:5: the id of a row is of small letters, digits and single dashes, not "Two_3"`,
			`c.yaml:14:5: field "id" stands twice`,
			`c.yaml:15:11: expected a mapping`,
			`c.yaml:16:11: expected a list`,
		}},
		"a row below one that takes all": {"version: 1\nrows:\n  - id: all\n  - id: late\n    when: {standing: [unsent], is: [cancelled]}\n", []any{
			`c.yaml:4:5: row "late" can never match: row "all" (line 3) matches whenever it would`,
		}},
		"a row below one with fewer conditions": {`version: 1
rows:
  - id: early
    when: {standing: [unsent, in-doubt], is: [cancelled]}
  - id: late
    when: {standing: [in-doubt], is: [cancelled, revised], not: [stopped]}
` + last, []any{
			`c.yaml:5:5: row "late" can never match: row "early" (line 3) matches whenever it would`,
		}},
		"a row that others take together": {`version: 1
rows:
  - id: yes
    when: {is: [cancelled]}
  - id: beside
    when: {is: [stopped]}
  - id: no
    when: {standing: [in-doubt], not: [cancelled, revised]}
  - id: maybe
    when: {standing: [in-doubt], is: [revised]}
  - id: late
    when: {standing: [in-doubt], is: [queryable]}
` + last, []any{
			`c.yaml:11:5: row "late" can never match: one of the rows "yes" (line 3), "no" (line 7), "maybe" (line 9) matches whenever it would`,
		}},
		"a row of two standings of which one is left": {`version: 1
rows:
  - id: early
    when: {standing: [unsent], is: [cancelled]}
  - id: late
    when: {standing: [unsent, in-doubt], is: [cancelled]}
` + last, nil},
		"a standing without a row": {`version: 1
rows:
  - id: most
    when: {standing: [unsent, in-doubt, accepted, partial, refused, not-executed, approved, declined, withdrawn]}
`, []any{
			`c.yaml:1:1: no row matches an intent that is conflict: add one, such as a last row without facts`,
		}},
		"circumstances without a row": {`version: 1
rows:
  - id: one
    when: {is: [cancelled]}
  - id: two
    when: {not: [revised]}
  - id: three
    when: {standing: [unsent], not: [cancelled]}
`, []any{
			`c.yaml:1:1: no row matches an intent that is in-doubt or conflict or accepted or partial or refused or not-executed or approved or declined or withdrawn ` +
				`(revised; not cancelled): add one, such as a last row without facts`,
		}},
		"rows that are complete together": {"version: 1\nrows:\n  - id: one\n    when: {is: [cancelled]}\n  - id: two\n    when: {not: [cancelled]}\n", nil},
		"permits that exclude their row": {`version: 1
rows:
  - id: one
    when: {standing: [unsent, refused], is: [cancelled], not: [revised]}
    allow:
      - {do: submit, not: [cancelled]}
      - {do: void, is: [revised, stopped]}
      - {do: escalate, standing: [in-doubt]}
      - {do: escalate, standing: [refused, in-doubt], is: [cancelled]}
` + last, []any{
			`c.yaml:6:9: row "one" never allows submit: the row and the permit disagree about cancelled`,
			`c.yaml:7:9: row "one" never allows void: the row and the permit disagree about revised`,
			`c.yaml:8:9: row "one" never allows escalate: the row is for intents that are unsent or refused, the permit for those that are in-doubt`,
		}},
		"duties that a row does not allow": {`version: 1
rows:
  - id: one
    when: {standing: [unsent]}
    must: [escalate]
  - id: two
    when: {standing: [conflict, in-doubt]}
    allow:
      - {do: escalate, standing: [conflict]}
      - {do: escalate, standing: [in-doubt], not: [queryable]}
    must: [escalate]
  - id: three
    when: {standing: [approved], is: [escalated]}
    allow: [purchase, {do: escalate, is: [escalated]}]
    must: [no-dependents, escalate]
` + last, []any{
			`c.yaml:5:11: row "one" demands escalate and does not allow it`,
			`c.yaml:11:11: row "two" demands escalate and does not allow it to an intent that is in-doubt (queryable)`,
			`c.yaml:15:11: row "three" demands no-dependents and allows purchase`,
		}},
		"nothing":        {"", []any{"c.yaml:1:1: the file is empty: a contract has `version` and `rows`"}},
		"only words":     {"# later\n", []any{"c.yaml:1:1: the file is empty: a contract has `version` and `rows`"}},
		"two documents":  {"version: 1\nrows:\n" + last + "---\nversion: 1\n", []any{`c.yaml:4:1: a second document begins here: a file holds one contract`}},
		"an open quote":  {"version: 1\nrows: \"\n", []any{gomega.HavePrefix(`c.yaml:3:1: this is no YAML: `)}},
		"no rows":        {"version: 1\n", []any{gomega.HavePrefix(`c.yaml:1:1: no row matches an intent that is unsent or in-doubt or `)}},
		"a list":         {"- a\n", []any{`c.yaml:1:1: expected a mapping`}},
		"other versions": {"version: 2\nrows:\n" + last, []any{`c.yaml:1:1: version is 2, and this harness reads version 1`}},
		"no number":      {"version: one\nrows:\n" + last, []any{`c.yaml:1:10: "one" does not fit here`}},
		"a tab":          {"version: 1\n\trows: []\n", []any{`c.yaml:2:1: a tab indents this line, and YAML is indented with blanks only: put blanks in its place`}},
		"too many bytes": {strings.Repeat("#", contract.MaxSize+1), []any{`c.yaml: the file has 262145 bytes; a contract has at most 262144`}},
		"too many rows": {"version: 1\nrows:\n" + strings.Repeat("  - {id: a}\n", 201), append(
			many(200, gomega.ContainSubstring(`row "a" stands in line`)), `c.yaml:3:3: 201 rows; a contract has at most 200`,
		)},
	} {
		t.Run(name, func(t *testing.T) {
			g := gomega.NewWithT(t)
			table, err := contract.Parse("c.yaml", []byte(c.text))
			if c.want == nil {
				g.Expect(err).NotTo(gomega.HaveOccurred())
				g.Expect(table.Rows).NotTo(gomega.BeEmpty())
				return
			}
			g.Expect(err).To(gomega.HaveOccurred())
			g.Expect(table).To(gomega.BeNil())
			g.Expect(strings.Split(err.Error(), "\n")).To(gomega.HaveExactElements(c.want...))
		})
	}
}

func many(n int, what any) []any {
	all := make([]any, n)
	for i := range all {
		all[i] = what
	}
	return all
}
