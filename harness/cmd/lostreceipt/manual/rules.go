package manual

import (
	"fmt"
	"slices"
	"strings"

	fakeagent "github.com/lostreceipt/lostreceipt/fakes/agent"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// rules are the judge's rules, by family.
func rules(from Sources) string {
	all := judge.Rules()
	var families []judge.Family
	for _, r := range all {
		if !slices.Contains(families, r.Family) {
			families = append(families, r.Family)
		}
	}
	var index [][]string
	for _, f := range families {
		var names []string
		for _, r := range all {
			if r.Family == f {
				names = append(names, r.ID)
			}
		}
		index = append(index, []string{plain(string(f)), links("rules.md", names)})
	}
	var b strings.Builder
	b.WriteString(table([]string{"family", "rules"}, index))
	for _, r := range all {
		fmt.Fprintf(&b, "%s%s\n\n- accuses: %s\n- correct: %s\n- requirements: %s\n", section(r.ID), plain(r.Sentence), r.Party, plain(r.Correct), links("requirements.md", r.Covers))
		if len(r.Duties) > 0 {
			fmt.Fprintf(&b, "- judges the duties: %s\n", plain(strings.Join(r.Duties, ", ")))
		}
		if found := foundBy(r.ID); len(found) > 0 {
			fmt.Fprintf(&b, "- made for it: %s\n", links("agents.md", found))
		}
		if never := expecting(from, r.ID); len(never) > 0 {
			fmt.Fprintf(&b, "- named by: %s\n", links("catalogue.md", never))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// foundBy are the defects that a rule was made to find.
func foundBy(rule string) []string {
	var names []string
	for _, d := range fakeagent.Defects() {
		if d.Rule == rule {
			names = append(names, d.Name)
		}
	}
	return names
}

// expecting are the scenarios that name a rule under never:.
func expecting(from Sources, rule string) []string {
	var ids []string
	for _, s := range from.Catalogue.All() {
		if slices.Contains(s.Expect.Never, rule) {
			ids = append(ids, s.ID)
		}
	}
	return ids
}
