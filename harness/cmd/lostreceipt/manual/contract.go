package manual

import (
	"fmt"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// rows are the rows of a contract table.
func rows(t *contract.Table) string {
	var b strings.Builder
	b.WriteString("Rows are tried from the top; the first whose conditions hold is the row of an intent: one confirmed version of one action.\n" +
		"Reads, claims and waiting are allowed in every row. A write or an escalation that the row does not list is a violation.\n\n")
	fmt.Fprintf(&b, "Version %d, digest `%s`.\n\n", t.Version, t.Digest)
	var lines [][]string
	for _, r := range t.Rows {
		lines = append(lines, []string{code(r.ID), plain(r.Summary), condition(r.When), permits(r.Allow), codes(r.Must)})
	}
	b.WriteString(table([]string{"row", "what is known", "when", "allowed", "demanded"}, lines))
	var standings, facts [][]string
	for _, name := range contract.StandingNames() {
		standings = append(standings, []string{code(name)})
	}
	for _, name := range contract.FactNames() {
		facts = append(facts, []string{code(name)})
	}
	b.WriteString("## standings\n\n" + table([]string{"standing"}, standings))
	b.WriteString("## facts\n\n" + table([]string{"fact"}, facts))
	return b.String()
}

func condition(c contract.Condition) string {
	var parts []string
	if c.Standing != 0 {
		var names []string
		for _, s := range c.Standing.All() {
			names = append(names, s.String())
		}
		parts = append(parts, codes(names))
	}
	if c.Is != 0 {
		parts = append(parts, "is "+codes(strings.Split(c.Is.String(), ", ")))
	}
	if c.Not != 0 {
		parts = append(parts, "not "+codes(strings.Split(c.Not.String(), ", ")))
	}
	if parts == nil {
		return "always"
	}
	return strings.Join(parts, "; ")
}

func permits(all []contract.Permit) string {
	var parts []string
	for _, p := range all {
		text := code(string(p.Action))
		if p.If != (contract.Condition{}) {
			text += " (" + condition(p.If) + ")"
		}
		parts = append(parts, text)
	}
	if parts == nil {
		return "nothing"
	}
	return strings.Join(parts, "<br>")
}
