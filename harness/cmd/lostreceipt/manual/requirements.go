package manual

import (
	"fmt"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/requirement"
)

// requirements are all requirements with what shows them.
func requirements(covers []requirement.Cover) string {
	pages := map[requirement.Column]string{
		requirement.Scenario: "catalogue.md", requirement.Rule: "rules.md", requirement.Defect: "agents.md",
	}
	var b strings.Builder
	b.WriteString("`lostreceipt coverage` prints the same and fails when there is a gap.\n\n")
	for _, c := range covers {
		fmt.Fprintf(&b, "%s%s\n\n", section(c.ID), plain(c.Statement))
		for _, column := range requirement.Columns() {
			what := string(column) + "s: "
			switch {
			case len(c.By[column]) > 0:
				fmt.Fprintf(&b, "- %s%s\n", what, cited(pages[column], c.By[column]))
			case len(c.Elsewhere()) > 0:
				fmt.Fprintf(&b, "- %snone: %s (%s)\n", what, plain(c.ShownBy.Why), codes(c.ShownBy.Tests))
			default:
				fmt.Fprintf(&b, "- %s**none**\n", what)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// cited are links to what cites a requirement. A faulty service is no page's
// section.
func cited(page string, names []string) string {
	var parts []string
	for _, n := range names {
		if strings.Contains(n, " ") {
			parts = append(parts, code(n))
		} else {
			parts = append(parts, links(page, []string{n}))
		}
	}
	return strings.Join(parts, ", ")
}
