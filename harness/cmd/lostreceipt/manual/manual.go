// Package manual writes the reference pages of the project as Markdown, from the
// same values that the program runs on: what is said in them is so. Package
// manual writes no files.
//
//	pages, err := manual.Pages(manual.Sources{Contract: table, ...})
//	pages[0].Name // "README.md"
package manual

import (
	"fmt"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/requirement"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

// Sources are what pages are made of, beside what is compiled in: rules,
// effects, designs, defects and the agent protocol.
type Sources struct {
	_ struct{}

	Contract  *contract.Table
	Catalogue *scenario.Catalogue
	Covers    []requirement.Cover
	Schema    *scenario.Schema // of scenario files
}

// Page is one file.
type Page struct {
	_ struct{}

	Name  string // of the file
	Title string
	About string // one sentence
	Text  string // Markdown; begins with Generated
}

// Generated is the first line of every page.
const Generated = "<!-- Written by lostreceipt docs. Change the code that it speaks of instead. -->"

// Pages are all pages, an overview first. The error is that of a source which
// cannot be read.
func Pages(from Sources) ([]Page, error) {
	protocol, err := protocol()
	if err != nil {
		return nil, err
	}
	format, err := format(from.Schema)
	if err != nil {
		return nil, err
	}
	pages := []Page{
		{Name: "contract.md", Title: "The contract table", About: "Which action the evidence allows, row by row.", Text: rows(from.Contract)},
		{Name: "rules.md", Title: "Rules of the judge", About: "What must not be, whom it accuses, and what a correct implementation does.", Text: rules(from)},
		{Name: "effects.md", Title: "Effects", About: "What a scenario can break, how that is written, and where it may stand.", Text: effects()},
		{Name: "scenario.md", Title: "Scenario files", About: "Every field of a scenario.", Text: format},
		{Name: "catalogue.md", Title: "The catalogue", About: "Every scenario that ships, with what it shows.", Text: catalogue(from.Catalogue)},
		{Name: "protocol.md", Title: "The agent protocol", About: "What an implementation under test speaks.", Text: protocol},
		{Name: "agents.md", Title: "Designs and defects", About: "The built-in agents: correct designs, and known-bad variants with the rule that finds each.", Text: agents()},
		{Name: "service.md", Title: "Checks of a real service", About: "What the contract suite checks of an approval service at any URL.", Text: service()},
		{Name: "requirements.md", Title: "Requirements", About: "What the project shows, and by which scenarios, rules and defects.", Text: requirements(from.Covers)},
	}
	var overview strings.Builder
	for _, p := range pages {
		fmt.Fprintf(&overview, "- [%s](%s): %s\n", p.Title, p.Name, p.About)
	}
	pages = append([]Page{{
		Name: "README.md", Title: "Lost Receipt: reference", About: "These pages.",
		Text: "Written from the program itself; `lostreceipt docs DIR` writes them again.\n\n" + overview.String(),
	}}, pages...)
	for i, p := range pages {
		pages[i].Text = fmt.Sprintf("%s\n\n# %s\n\n%s\n", Generated, p.Title, strings.TrimSpace(p.Text))
	}
	return pages, nil
}
