package scenarios_test

import (
	"testing"

	"github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/scenarios"
)

func TestEveryScenarioOfTheCatalogueIsSound(t *testing.T) {
	g := gomega.NewWithT(t)
	table, err := scenarios.Contract()
	g.Expect(err).NotTo(gomega.HaveOccurred())
	list, err := scenarios.Requirements()
	g.Expect(err).NotTo(gomega.HaveOccurred())
	options := scenario.Options{Root: "scenarios", Requirements: list.IDs()}
	for _, row := range table.Rows {
		options.Rows = append(options.Rows, row.ID)
	}
	for _, rule := range judge.Rules() {
		options.Rules = append(options.Rules, rule.ID)
	}
	catalogue, err := scenario.LoadDir(scenarios.Catalogue, options)
	g.Expect(err).NotTo(gomega.HaveOccurred())
	covered := map[string]bool{}
	for _, s := range catalogue.All() {
		for _, id := range s.Covers {
			covered[id] = true
		}
	}
	for _, id := range []string{"C1", "C2", "C3", "C4", "C5"} {
		g.Expect(covered).To(gomega.HaveKey(id), "a case that must exist by name")
	}
}
