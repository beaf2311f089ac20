package scenario

import (
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/yamltext"
)

func TestOnlyCommentsThatTouchAWordAreTraps(t *testing.T) {
	for text, want := range map[string][]int{
		"a: b # fine":                            nil,
		"# fine":                                 nil,
		"#":                                      nil,
		"##### fine":                             nil,
		"a: b#1 c":                               nil,
		"a: 'b #1'":                              nil,
		`a: "b \" #1"`:                           nil,
		`a: ["x #1", 'it''s #2', {k: "#3"}]`:     nil,
		"a: |\n  b #1\n  #2\nc: d":               nil,
		"a: >-  # fine\n  b #1":                  nil,
		"- |\n  b #1":                            nil,
		"a: 'b\n  #1'":                           nil,
		"a: b #1 c":                              {6},
		"#1":                                     {1},
		"a: b\n  #1":                             {3},
		"a: it's #1":                             {9},
		"a: the 'quoted' #1":                     {17},
		"a: wait, 'tis #1":                       {15},
		"a: \"b\" #1":                            {8},
		"a: [b #1]":                              {7},
		"a: |\n  b\nc: d #1":                     {6},
		"- 'x' #y":                               {7},
		"a: {b: 'c', d: e #1\n  , f: \"#2\" #3}": {18, 13},
	} {
		var columns []int
		for _, trap := range commentTraps(yamltext.Lines(text)) {
			columns = append(columns, trap.column)
		}
		NewWithT(t).Expect(columns).To(Equal(want), text)
	}
}
