package reports

import (
	"fmt"
	"slices"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports/page"
)

// view is the kill matrix as a page shows it.
func (t *SelfTest) view() *page.SelfTest {
	problems := t.Problems()
	defects := t.defects()
	v := &page.SelfTest{Passed: len(problems) == 0, Words: t.words()}
	for _, p := range bounded(problems, 200) {
		v.Problems = append(v.Problems, plain(p, maxSentence))
	}
	for _, d := range bounded(t.Designs, 50) {
		v.Designs = append(v.Designs, page.Fact{
			Name: "correct design " + plain(d.Name, maxName), Value: fmt.Sprintf("%s in %s", plain(string(d.Outcome), maxName), count(d.Scenarios)),
		})
	}
	var scenarios []string
	for _, k := range t.Kills {
		scenarios = append(scenarios, k.Scenario)
	}
	slices.Sort(scenarios)
	scenarios = bounded(slices.Compact(scenarios), 500)
	v.Scenarios = plains(scenarios)
	for _, d := range bounded(defects, 500) {
		line := page.Kill{Defect: plain(d.name, maxName), Rule: plain(d.rule, maxName), Outcome: "bad"}
		if len(d.where[Killed]) > 0 {
			line.Outcome = "good"
		}
		for _, id := range scenarios {
			line.Cells = append(line.Cells, t.fate(d, id))
		}
		v.Kills = append(v.Kills, line)
	}
	return v
}

// words are what the self-test shows, in a sentence.
func (t *SelfTest) words() string {
	killed := 0
	defects := t.defects()
	for _, d := range defects {
		if len(d.where[Killed]) > 0 {
			killed++
		}
	}
	clean := 0
	for _, d := range t.Designs {
		if d.Outcome == judge.Pass {
			clean++
		}
	}
	if len(t.Problems()) == 0 {
		return fmt.Sprintf("The judge bites: %d correct designs are clean, and each of %d defects is killed by the rule made for it.", clean, killed)
	}
	return fmt.Sprintf("The self-test does not prove that the judge bites: %d of %d correct designs are clean, and %d of %d defects are killed by the rule made for them.",
		clean, len(t.Designs), killed, len(defects))
}

// fate is one cell of the matrix.
func (t *SelfTest) fate(d fate, scenario string) page.Fate {
	for _, k := range t.Kills {
		if k.Defect != d.name || k.Rule != d.rule || k.Scenario != scenario {
			continue
		}
		sign := map[string]string{Killed: "●", WrongReason: "◐", Survived: "○", Void: "·"}[k.Result]
		if sign == "" {
			sign = "?"
		}
		words := plain(fmt.Sprintf("%s in %s: %s", k.Defect, k.Scenario, k.Result), maxSentence)
		if len(k.Rules) > 0 {
			words += " (" + names(k.Rules, 10) + ")"
		}
		return page.Fate{Class: plain(k.Result, maxName), Sign: sign, Words: words}
	}
	return page.Fate{}
}
