package main

import (
	"fmt"

	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/reports"
)

// speechless says that no process ever asked for work, which a mistyped command
// does: then no finding below says anything about recovery. "" when one did.
func speechless(results []run.Result, s subject) string {
	var last run.Result
	n := 0
	for _, r := range results {
		switch {
		case len(r.Lacking) > 0: // it did not run
		case !r.Speechless():
			return ""
		default:
			last = r
			n++
		}
	}
	if n == 0 {
		return ""
	}
	what := fmt.Sprintf("in all %d runs", n)
	if n == 1 {
		what = "in the one run"
	}
	text := fmt.Sprintf("The agent never asked for work: %s its command ended before. Run the command by itself, put right what it says, and see that it begins with GET $LOSTRECEIPT_URL/v1/work: %s\n", what, quoted(redact(s.args)))
	if len(last.Output) == 0 {
		return text + "It printed nothing.\n\n"
	}
	return text + reports.Output(last.Output, "") + "\n"
}
