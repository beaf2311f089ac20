package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// Problems are what keeps the self-test from proving that the judge bites, a
// harmless sentence each: a correct design that is not clean, a defect that no
// scenario kills for the right reason, or nothing tested at all.
func (t *SelfTest) Problems() []string {
	var list []string
	if len(t.Designs) == 0 || len(t.Kills) == 0 {
		list = append(list, "the self-test is empty: it needs at least one correct design and one defect")
	}
	for _, d := range t.Designs {
		if d.Outcome != judge.Pass {
			text := fmt.Sprintf("correct design %s is not clean: %s", plain(d.Name, maxName), plain(string(d.Outcome), maxName))
			if len(d.Problems) > 0 {
				text += ": " + names(d.Problems, maxShown)
			}
			list = append(list, text)
		}
	}
	for _, d := range t.defects() {
		if text := d.problem(); text != "" {
			list = append(list, text)
		}
	}
	return list
}

// fate is what became of one defect over all scenarios.
type fate struct {
	name, rule string
	where      map[string][]string // result to scenarios
	others     []string            // rules that fired beside the right one
}

// problem says that the defect is not killed, and what became of it instead.
func (d fate) problem() string {
	if len(d.where[Killed]) > 0 {
		return ""
	}
	text := fmt.Sprintf("defect %s is not killed by %s", plain(d.name, maxName), plain(d.rule, maxName))
	for _, result := range sortedKeys(d.where) {
		text += fmt.Sprintf("; %s in %s", plain(result, maxName), names(d.where[result], maxShown))
	}
	if len(d.others) > 0 {
		text += "; rules that fired: " + names(d.others, maxShown)
	}
	return text
}

// defects are the rows of the matrix by name and rule.
func (t *SelfTest) defects() []fate {
	var list []fate
	for _, k := range t.Kills {
		i := slices.IndexFunc(list, func(f fate) bool { return f.name == k.Defect && f.rule == k.Rule })
		if i < 0 {
			i = len(list)
			list = append(list, fate{name: k.Defect, rule: k.Rule, where: map[string][]string{}})
		}
		list[i].where[k.Result] = append(list[i].where[k.Result], k.Scenario)
		for _, rule := range k.Rules {
			if rule != k.Rule && !slices.Contains(list[i].others, rule) {
				list[i].others = append(list[i].others, rule)
			}
		}
	}
	slices.SortFunc(list, func(a, b fate) int { return strings.Compare(a.name+"\x00"+a.rule, b.name+"\x00"+b.rule) })
	return list
}

// Text is the kill matrix for a person: a row a defect, then the designs, then
// what is wrong.
func (t *SelfTest) Text(look Look) string {
	rows := []row{{cells: []string{"  DEFECT", "RULE MADE FOR IT", "KILLED IN", "SURVIVED", "OTHER RULE", "VOID"}, ink: dim}}
	for _, d := range t.defects() {
		mark, color := sign(judge.Pass)
		if len(d.where[Killed]) == 0 {
			mark, color = sign(judge.Violation)
		}
		killed := "-"
		if n := len(d.where[Killed]); n > 0 {
			killed = count(n)
		}
		rows = append(rows, row{ink: color, cells: []string{
			mark + " " + plain(d.name, maxName), plain(d.rule, maxName), killed,
			fmt.Sprint(len(d.where[Survived])), fmt.Sprint(len(d.where[WrongReason])), fmt.Sprint(len(d.where[Void])),
		}})
	}
	var out strings.Builder
	for _, line := range layout(rows, []int{40, 40, 16, 8, 10, 6}, look) {
		out.WriteString(line + "\n")
	}
	out.WriteByte('\n')
	for _, d := range t.Designs {
		mark, color := sign(d.Outcome)
		painted(&out, look, color, "", fmt.Sprintf("%s correct design %s: %s in %s", mark, plain(d.Name, maxName), plain(string(d.Outcome), maxName), count(d.Scenarios)))
	}
	problems := t.Problems()
	for _, p := range bounded(problems, 50) {
		wrapped(&out, look, "", "", p)
	}
	left(&out, "", len(problems)-50, "problems")
	if len(problems) == 0 {
		painted(&out, look, good, "", "The judge bites: every correct design is clean, and every defect is killed by the rule made for it.")
	}
	return out.String()
}
