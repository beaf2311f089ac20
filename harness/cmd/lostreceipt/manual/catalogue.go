package manual

import (
	"fmt"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

// catalogue is every scenario, as it is explained.
func catalogue(c *scenario.Catalogue) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d scenarios, digest `%s`.\n\n", len(c.All()), c.Digest())
	var lines [][]string
	for _, s := range c.All() {
		lines = append(lines, []string{links("catalogue.md", []string{s.ID}), plain(s.Title), links("requirements.md", s.Covers)})
	}
	b.WriteString(table([]string{"scenario", "what happens", "requirements"}, lines))
	for _, s := range c.All() {
		fmt.Fprintf(&b, "%s%s\n\n```text\n%s\n```\n\n", section(s.ID), plain(s.Title), strings.TrimSpace(scenario.Explain(s)))
	}
	return b.String()
}
