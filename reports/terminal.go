package reports

import (
	"io"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// Look is what a terminal can show.
type Look struct {
	_ struct{}

	// Width is the number of columns that lines are kept within; 0 means 100. Commands to repeat are never cut.
	Width int
	// Color allows colours; without it the text holds no escape at all.
	Color bool
	// Live tells that lines can be redrawn: w is a terminal that understands escapes.
	Live bool
}

// LookOf is what w can show: its width, and colours if it is a terminal, NO_COLOR is empty and TERM is
// not dumb. environ has the form of os.Environ.
func LookOf(w io.Writer, environ []string) Look { return Look{} }

// Text is the report for a person: a table of scenarios, the findings, the
// totals, and the verdict in words with what it does and does not prove.
func (r *Report) Text(look Look) string { return "" }

// FindingText is one finding for a person, a line for each thing it says, without colours.
func FindingText(f judge.Finding) string { return "" }
