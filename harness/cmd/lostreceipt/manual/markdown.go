package manual

import (
	"fmt"
	"strings"
)

// table writes a table. Cells are Markdown.
func table(head []string, lines [][]string) string {
	var b strings.Builder
	row := func(cells []string) {
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	row(head)
	b.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, cells := range lines {
		row(cells)
	}
	return b.String() + "\n"
}

// plain makes Markdown that shows a text as it is, on one line.
func plain(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.NewReplacer(
		`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`,
	).Replace(text)
}

// code shows a text as it is written. It must hold no backquote.
func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}

// codes shows several, with commas.
func codes(texts []string) string {
	all := make([]string, len(texts))
	for i, t := range texts {
		all[i] = code(t)
	}
	return strings.Join(all, ", ")
}

// links are links to sections of a page that bear the names.
func links(page string, names []string) string {
	all := make([]string, len(names))
	for i, n := range names {
		all[i] = fmt.Sprintf("[%s](%s#%s)", plain(n), page, strings.ToLower(n))
	}
	return strings.Join(all, ", ")
}

// section begins a section that can be linked to by its name.
func section(name string) string { return "## " + name + "\n\n" }
