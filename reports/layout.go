package reports

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A row is one line of a table of harmless cells, and a text that may stand below it.
type row struct {
	cells []string
	below string
	ink   ink // of the first cell
}

const gap = 2 // columns between cells

// layout gives each column the width that it needs, up to its limit, and cuts
// what does not fit the line: first the widest column, so that short ones stay
// whole. Columns are counted as a terminal does, wide characters as two.
func layout(rows []row, limits []int, look Look) []string {
	widths := make([]int, len(limits))
	for _, r := range rows {
		for i, c := range r.cells {
			widths[i] = min(max(widths[i], ansi.StringWidth(c)), limits[i])
		}
	}
	for sum(widths)+gap*(len(widths)-1) > look.width() {
		widest := 0
		for i, w := range widths {
			if w > widths[widest] {
				widest = i
			}
		}
		widths[widest]--
	}
	lines := make([]string, 0, 2*len(rows))
	for _, r := range rows {
		var line strings.Builder
		for i, c := range r.cells {
			cell := ansi.Truncate(c, widths[i], "…")
			pad := strings.Repeat(" ", widths[i]-ansi.StringWidth(cell)+gap)
			if i == 0 {
				cell = look.paint(r.ink, cell)
			}
			line.WriteString(cell + pad)
		}
		lines = append(lines, strings.TrimRight(line.String(), " "))
		if r.below != "" {
			indent := widths[0] + gap
			text := ansi.Truncate(r.below, look.width()-indent, "…")
			lines = append(lines, strings.Repeat(" ", indent)+look.paint(dim, text))
		}
	}
	return lines
}

func sum(list []int) int {
	n := 0
	for _, v := range list {
		n += v
	}
	return n
}
