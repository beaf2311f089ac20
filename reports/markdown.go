package reports

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// maxMarkdown is below the 65,536 characters of a comment on GitHub.
const maxMarkdown = 60_000

// Markdown is the report as GitHub-flavoured Markdown, for a job summary or a
// comment. It is at most 60,000 bytes: what is worst comes first, and what is
// left out is counted.
func (r *Report) Markdown() string {
	s := r.Statement()
	mark, _ := sign(r.Outcome)
	var head, end strings.Builder
	fmt.Fprintf(&head, "## Lost Receipt: %s\n\n%s **%s**\n\n", md(strings.ToLower(string(r.Outcome)), 40), mark, md(s.Verdict, 300))
	fmt.Fprintf(&head, "%s, %s, seed %d, time scale %g, noise %s\n", md(counted(r.Totals), maxSentence), span(r.Duration), r.Seed, r.Scale, span(r.Noise))

	r.markdownEnd(&end, s)
	tail := clip(end.String(), maxMarkdown/3)
	return head.String() + pack(maxMarkdown-head.Len()-len(tail), r.markdownFindings(), r.SelfTest.markdown(), r.markdownTable()) + tail
}

// A part is a heading, and pieces that may be left out from the end.
type part struct {
	before, after string
	pieces        []string
	what          string
}

// pack joins the parts within a budget of bytes, first come, first served.
func pack(budget int, parts ...part) string {
	const note = 80
	var out strings.Builder
	for _, p := range parts {
		if len(p.pieces) == 0 {
			continue
		}
		room := budget - out.Len() - len(p.before) - len(p.after) - note
		n, size := 0, 0
		for ; n < len(p.pieces) && size+len(p.pieces[n]) <= room; n++ {
			size += len(p.pieces[n])
		}
		if n > 0 {
			out.WriteString(p.before + strings.Join(p.pieces[:n], "") + p.after)
		}
		if n < len(p.pieces) {
			fmt.Fprintf(&out, "\nAnd %d more %s in %s.\n", len(p.pieces)-n, p.what, reportName)
		}
	}
	return out.String()
}

func (r *Report) markdownFindings() part {
	p := part{before: "\n### What is wrong\n", what: "scenarios without a pass"}
	for _, o := range judge.Outcomes() {
		for _, s := range r.Scenarios {
			if s.Verdict.Outcome == o && o != judge.Pass && o != judge.NotApplicable {
				p.pieces = append(p.pieces, markdownScenario(s))
			}
		}
	}
	return p
}

func markdownScenario(s Scenario) string {
	v := s.Verdict
	mark, _ := sign(v.Outcome)
	var out strings.Builder
	fmt.Fprintf(&out, "\n#### %s %s: %s\n\n%s\n", mark, md(outcomeWords(s), 60), md(s.ID, maxName), md(s.Title, 300))
	reasons := complaints(s)
	for _, reason := range bounded(reasons, 3) {
		fmt.Fprintf(&out, "\n- %s", md(reason, 500))
	}
	if len(reasons) > 0 {
		out.WriteByte('\n')
	}
	for _, f := range bounded(v.Findings, 3) {
		fmt.Fprintf(&out, "\n**%s**\n\n", md(heading(f), 2*maxName))
		for _, st := range statements(f) {
			if st.exact {
				fmt.Fprintf(&out, "\n%s\n", fence("sh", st.text))
				continue
			}
			fmt.Fprintf(&out, "- %s: %s\n", md(st.label, 60), md(st.text, 500))
		}
	}
	if n := len(v.Findings) - 3; n > 0 {
		fmt.Fprintf(&out, "\nAnd %d more findings of this scenario in %s.\n", n, reportName)
	}
	return out.String()
}

func (r *Report) markdownTable() part {
	p := part{
		before: "\n<details><summary>All scenarios</summary>\n\n| | scenario | title | ends | consequences | time |\n|---|---|---|---|---|---|\n",
		after:  "\n</details>\n",
		what:   "scenarios",
	}
	for _, s := range r.Scenarios {
		mark, _ := sign(s.Verdict.Outcome)
		p.pieces = append(p.pieces, fmt.Sprintf("| %s %s | %s | %s | %s | %s | %s |\n", mark, md(outcomeWords(s), 60), md(s.ID, maxName),
			md(s.Title, 300), md(ended(s.Verdict), 200), md(consequences(s.Verdict), 200), span(s.Duration)))
	}
	return p
}

// markdownEnd says what the verdict proves, on what it rests, and who it is about.
func (r *Report) markdownEnd(out *strings.Builder, s Statement) {
	out.WriteString("\n### What this proves\n\n")
	for _, text := range s.Proves {
		fmt.Fprintf(out, "- %s\n", md(text, maxSentence))
	}
	if len(r.Assumed) > 0 {
		out.WriteString("\nAssumed of the services:\n\n")
		for _, a := range bounded(r.Assumed, maxShown) {
			fmt.Fprintf(out, "- %s %s (%s)\n", md(a.Operation, maxName), md(a.Words, 500), count(len(a.Scenarios)))
		}
		left(out, "- ", len(r.Assumed)-maxShown, "promises")
	}
	if len(r.NotApplicable) > 0 {
		out.WriteString("\nNot applicable, and not counted as passed:\n\n")
		for _, l := range bounded(r.NotApplicable, maxShown) {
			text := "no scenario that ran needs it"
			if len(l.Scenarios) > 0 {
				text = names(l.Scenarios, maxShown)
			}
			fmt.Fprintf(out, "- %s: %s\n", md(l.Capability, maxName), md(text, maxSentence))
		}
		left(out, "- ", len(r.NotApplicable)-maxShown, "capabilities")
	}
	if missing := r.Missing(); len(missing) > 0 {
		fmt.Fprintf(out, "\nNot run: %s\n", md(names(missing, maxShown), maxSentence))
	}
	fmt.Fprintf(out, "\nAgent %s (%s), contract %s %s, catalogue %s with %s, lostreceipt %s.\n",
		md(r.Agent.Name, maxName), md(r.Agent.Kind, maxName), md(r.Contract.Version, maxName), md(r.Contract.Digest, maxName),
		md(r.Catalogue.Digest, maxName), count(r.Catalogue.Count), md(r.Harness.Version, maxName))
	if r.Repeat != "" {
		fmt.Fprintf(out, "\n%s\n", fence("sh", plain(r.Repeat, maxCommand)))
	}
}

// invisible stands between two characters that GitHub would make a link of.
const invisible = "&#8203;"

// md makes one bounded line in which nothing is markup: no HTML, no emphasis,
// no table cell, no list, no link, no mention and no reference to an issue.
// GitHub looks for mentions and addresses after it has resolved the markup, so
// that an escape is not enough there: an invisible character keeps them apart.
func md(s string, limit int) string {
	text := []rune(plain(s, limit))
	at := func(i int) rune {
		if i < 0 || i >= len(text) {
			return ' '
		}
		return text[i]
	}
	var out strings.Builder
	numbered := true // only digits so far
	for i, c := range text {
		switch {
		case c == '<':
			out.WriteString("&lt;")
		case c == '>':
			out.WriteString("&gt;")
		case c == '&':
			out.WriteString("&amp;")
		case c == '@':
			out.WriteString("@" + invisible)
		case c == '#' && unicode.IsDigit(at(i+1)):
			out.WriteString(`\#` + invisible)
		case c == ':' && at(i+1) == '/':
			out.WriteString(":" + invisible)
		case c == '.' && (at(i-1) == 'w' || at(i-1) == 'W'):
			out.WriteString(invisible + ".")
		case strings.ContainsRune("\\`*_[]|~$#", c),
			i == 0 && strings.ContainsRune("-+=", c) && (at(1) == ' ' || at(1) == c),
			i > 0 && numbered && (c == '.' || c == ')') && at(i+1) == ' ':
			out.WriteString(`\` + string(c))
		default:
			out.WriteRune(c)
		}
		numbered = numbered && unicode.IsDigit(c)
	}
	return out.String()
}

// clip cuts text after the last whole line within limit bytes.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return text[:strings.LastIndexByte(text[:limit], '\n')+1]
}

// fence is a block of code around one harmless line, longer than any run of
// backticks inside.
func fence(language, line string) string {
	marks := "```"
	for strings.Contains(line, marks) {
		marks += "`"
	}
	return marks + language + "\n" + line + "\n" + marks
}
