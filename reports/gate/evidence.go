package gate

import (
	"fmt"
	"slices"

	"github.com/lostreceipt/lostreceipt/reports"
)

// wrongEvidence are the ways in which a stored history is not what its report
// says, in the order in which they are told.
var wrongEvidence = []struct{ what, code, text, do string }{
	{
		reports.HistoryMissing, "evidence-missing", "the report names %s not there: %s",
		"put back the directory as the run wrote it, or run again; a report that came without its runs is gated by the name of its file",
	},
	{
		reports.HistoryChanged, "evidence-changed", "the report names %s not what the run wrote, by SHA-256: %s",
		"put back the directory as the run wrote it, or run again",
	},
	{
		reports.HistoryUndigested, "evidence-undigested", "the report was changed: it names %s without a SHA-256, and others with one: %s",
		runAgain,
	},
	{
		reports.HistoryUnreadable, "evidence-unreadable", "the report names %s there and cannot be read: %s",
		"let the job that gates read the directory that the run wrote, or run again",
	},
}

// evidence asks whether the stored histories are those that were judged.
func (d *decider) evidence() {
	if d.known.Evidence == nil {
		return
	}
	for _, w := range wrongEvidence {
		var paths, ids []string
		for _, p := range d.known.Evidence.Problems {
			if p.What == w.what {
				paths, ids = append(paths, p.Path), append(ids, line(p.Scenario))
			}
		}
		if n := len(paths); n > 0 {
			d.fail(w.code, "", w.do, w.text, histories(n), some(paths)).Scenarios = slices.Compact(ids)
		}
	}
}

func histories(n int) string {
	if n == 1 {
		return "1 history that is"
	}
	return fmt.Sprintf("%d histories that are", n)
}
