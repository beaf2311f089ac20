package contract

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/onsi/gomega"
	"pgregory.net/rapid"
)

// TestAGapIsWhatNoRowTakes compares the search with a look at all circumstances.
func TestAGapIsWhatNoRowTakes(t *testing.T) {
	const facts = 5 // enough for rows to overlap in every way
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.Custom(func(t *rapid.T) Condition {
			is := Facts(rapid.IntRange(0, 1<<facts-1).Draw(t, "is"))
			not := Facts(rapid.IntRange(0, 1<<facts-1).Draw(t, "not")) &^ is
			return Condition{Standing: Standings(rapid.IntRange(0, 3).Draw(t, "standing")), Is: is, Not: not}
		})
		var rows []Row
		for _, c := range rapid.SliceOfN(some, 0, 12).Draw(t, "rows") {
			rows = append(rows, Row{When: c})
		}
		table := Table{Rows: rows}
		within := some.Draw(t, "within")
		for _, s := range []Standing{Unsent, InDoubt} {
			var left []Facts
			for set := range Facts(1 << facts) {
				if set&within.Is == within.Is && set&within.Not == 0 {
					if _, taken := table.Match(s, set); !taken {
						left = append(left, set)
					}
				}
			}
			steps := maxSteps
			found, gap := newCover(s, rows, &steps).gap(within.Is, within.Not)
			if gap != (len(left) > 0) {
				t.Fatalf("gap %v, left over %v", gap, left)
			}
			if !gap {
				continue
			}
			if found.is&within.Is != within.Is || found.not&within.Not != within.Not {
				t.Fatalf("%v lies outside of %v", found, within)
			}
			for set := range Facts(1 << facts) {
				if set&found.is == found.is && set&found.not == 0 {
					if _, taken := table.Match(s, set); taken {
						t.Fatalf("%v is taken", set)
					}
				}
			}
		}
	})
}

func TestASearchForGapsIsBounded(t *testing.T) {
	g := NewWithT(t)
	// Every row takes the circumstances in which one fact differs from its neighbour: only all of them together
	// leave out no more than two.
	var text strings.Builder
	text.WriteString("version: 1\nrows:\n")
	names := FactNames()[2:]
	for i, name := range names {
		next := names[(i+1)%len(names)]
		fmt.Fprintf(&text, "  - {id: a%d, when: {is: [%s], not: [%s]}}\n", i, name, next)
	}
	_, err := Parse("c.yaml", []byte(text.String()))
	g.Expect(err).To(MatchError(HavePrefix("c.yaml:1:1: no row matches an intent that is unsent or in-doubt or ")))
	g.Expect(strings.Split(err.Error(), "\n")).To(HaveLen(1))

	steps := 3
	c := newCover(Unsent, []Row{{When: Condition{Is: 1}}, {When: Condition{Is: 2}}, {When: Condition{Is: 4}}, {When: Condition{Is: 8}}}, &steps)
	_, gap := c.gap(0, 0)
	g.Expect(gap).To(BeFalse())
	g.Expect(c.tangled).To(BeTrue())
}
