package timeline

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/lostreceipt/lostreceipt/reports/harmless"
)

// entry is a record, or a fold, in the list.
func entry(s stretch, cited map[int][]int, maxText int) Entry {
	r := s.record
	if s.folded > 0 {
		return Entry{N: r.N, Folded: s.folded, Last: r.N + s.folded - 1}
	}
	e := Entry{N: r.N, Time: span(r.At), Lane: laneOf(r).String(), Words: words(r), Findings: cited[r.N]}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil { // a raw message that is no JSON
		text = fmt.Appendf(nil, "%q", err.Error())
	}
	text = harmless.JSON(text)
	if len(text) > maxText {
		for maxText > 0 && !utf8.RuneStart(text[maxText]) {
			maxText--
		}
		text, e.Cut = text[:maxText], true
	}
	e.Text = string(text)
	return e
}
