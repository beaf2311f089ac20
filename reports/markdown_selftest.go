package reports

import "fmt"

// markdown is the self-test: what it shows in a sentence, then a row a defect.
func (t *SelfTest) markdown() part {
	if t == nil {
		return part{}
	}
	problems := t.Problems()
	mark := map[bool]string{true: "✓", false: "✗"}[len(problems) == 0]
	p := part{
		before: fmt.Sprintf("\n### Self-test of the judge\n\n%s %s\n", mark, md(t.words(), maxSentence)), what: "defects of the self-test",
		after: "\n</details>\n",
	}
	for _, text := range bounded(problems, maxShown) {
		p.before += "\n- " + md(text, 500)
	}
	if n := len(problems) - maxShown; n > 0 {
		p.before += fmt.Sprintf("\n- and %d more problems in %s", n, reportName)
	}
	p.before += "\n\n<details><summary>Kill matrix</summary>\n\n| | defect | rule made for it | killed in | elsewhere |\n|---|---|---|---|---|\n"
	for _, d := range t.defects() {
		mark, elsewhere := "✓", ""
		if d.problem() != "" {
			mark = "✗"
		}
		for _, result := range sortedKeys(d.where) {
			if result != Killed {
				elsewhere = join("; ", elsewhere, fmt.Sprintf("%s in %s", plain(result, maxName), names(d.where[result], 3)))
			}
		}
		p.pieces = append(p.pieces, fmt.Sprintf("| %s | %s | %s | %s | %s |\n", mark, md(d.name, maxName), md(d.rule, maxName), md(names(d.where[Killed], 3), 300), md(elsewhere, 300)))
	}
	if len(p.pieces) == 0 {
		p.pieces = []string{"| ✗ | none | | | |\n"}
	}
	return p
}
