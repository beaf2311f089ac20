package manual

import (
	"fmt"
	"strings"

	fakeagent "github.com/lostreceipt/lostreceipt/fakes/agent"
)

// agents are the built-in agents.
func agents() string {
	var b strings.Builder
	b.WriteString("`lostreceipt run --reference` runs the first design, `--design NAME` another, `--defect NAME` a known-bad variant.\n\n## designs\n\n")
	var lines [][]string
	for _, d := range fakeagent.Designs() {
		lines = append(lines, []string{code(d.Name), plain(d.Summary)})
	}
	b.WriteString(table([]string{"design", "what it does first"}, lines))
	for _, d := range fakeagent.Defects() {
		fmt.Fprintf(&b, "%sViolates: %s\n\n- found by: %s\n- shows in: %s\n- requirements: %s\n\n",
			section(d.Name), plain(d.Summary), links("rules.md", []string{d.Rule}), links("catalogue.md", d.Scenarios), links("requirements.md", d.Covers))
	}
	return b.String()
}
