package manual

import (
	"testing"

	. "github.com/onsi/gomega"
)

func TestATextIsShownAsItIs(t *testing.T) {
	g := NewWithT(t)
	g.Expect(plain("a | b <c> *d* _e_ `f` [g](h)\n  i \\")).To(Equal("a \\| b &lt;c&gt; \\*d\\* \\_e\\_ \\`f\\` \\[g\\](h) i \\\\"))
	g.Expect(code("a|b: <c>")).To(Equal("`a\\|b: <c>`"))
	g.Expect(code("")).To(BeEmpty())
	g.Expect(links("rules.md", []string{"B01", "new-key"})).To(Equal("[B01](rules.md#b01), [new-key](rules.md#new-key)"))
	g.Expect(table([]string{"a", "b"}, [][]string{{"1", "2"}})).To(Equal("| a | b |\n|---|---|\n| 1 | 2 |\n\n"))
}
