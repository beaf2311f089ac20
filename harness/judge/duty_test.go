package judge_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

func TestEveryDutyIsJudged(t *testing.T) {
	g := gomega.NewWithT(t)
	by := map[string][]string{}
	for _, r := range judge.Rules() {
		for _, d := range r.Duties {
			g.Expect(contract.Duties()).To(gomega.ContainElement(d), r.ID)
			by[d] = append(by[d], "`"+r.ID+"`")
		}
	}
	var rows strings.Builder
	for _, d := range contract.Duties() {
		g.Expect(by[d]).NotTo(gomega.BeEmpty(), "no rule judges the duty "+d)
		fmt.Fprintf(&rows, "| `%s` | %s |\n", d, strings.Join(by[d], ", "))
	}
	for _, row := range table(t).Rows {
		for _, d := range row.Must {
			g.Expect(slices.Contains(contract.Duties(), d)).To(gomega.BeTrue(), row.ID)
		}
	}
	text, err := os.ReadFile("../doc/006-duties.md")
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(string(text)).To(gomega.ContainSubstring("|---|---|\n"+rows.String()+"\n## "), "the table of harness/doc/006-duties.md is:\n"+rows.String())
}
