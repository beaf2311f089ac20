package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/reports"
	"github.com/lostreceipt/lostreceipt/reports/gate"
	"github.com/lostreceipt/lostreceipt/scenarios"
)

// spotless is a report on the whole catalogue in which everything passed and
// every row was met.
func spotless(t *testing.T) *reports.Report {
	t.Helper()
	g := NewWithT(t)
	table, err := scenarios.Contract()
	g.Expect(err).NotTo(HaveOccurred())
	catalogue, err := loadCatalogue()
	g.Expect(err).NotTo(HaveOccurred())
	var cells []judge.Cell
	for _, row := range table.Rows {
		cells = append(cells, judge.Cell{Row: row.ID})
	}
	r := reports.New()
	r.Agent = reports.Agent{Name: "my-agent", Kind: reports.KindCommand, Command: []string{"python3", "adapter.py"}}
	r.Contract, r.Catalogue, r.Scale = reports.ContractOf(table), reports.CatalogueOf(catalogue.All()), 0.05
	for _, s := range catalogue.All() {
		r.Selected = append(r.Selected, s.ID)
		r.Scenarios = append(r.Scenarios, reports.Scenario{
			ID: s.ID, Title: s.Title, Covers: s.Covers,
			Digest:      scenario.Digest([]*scenario.Scenario{s}),
			Verdict:     judge.Verdict{Outcome: judge.Pass, Calls: 2, Cells: cells},
			Repetitions: []reports.Repetition{{N: 1, Outcome: judge.Pass}},
		})
	}
	r.Seal(time.Second)
	return r
}

func TestTheGateTakesWhatTheWholeCatalogueShows(t *testing.T) {
	g := NewWithT(t)
	t.Setenv("GITHUB_ACTIONS", "")
	dir := t.TempDir()
	policy := filepath.Join(dir, "gate.yaml")
	g.Expect(os.WriteFile(policy, []byte("agent: {name: my-agent}\nrequire: {requirements: [C1, C2, C3, C4, C5], rows: all}\n"), 0o600)).To(Succeed())
	r := spotless(t)
	path := reports.Out(dir).Report()
	g.Expect(reports.Write(path, r)).To(Succeed())

	var out, errs bytes.Buffer
	g.Expect(command([]string{"gate", path, "--policy", policy, "--baseline", path, "--format", "json", "--html", filepath.Join(dir, "page.html")}, &out, &errs)).To(Equal(0), errs.String())
	var decision gate.Decision
	g.Expect(json.Unmarshal(out.Bytes(), &decision)).To(Succeed())
	g.Expect(decision.Passed).To(BeTrue())
	g.Expect(decision.Baseline.New).To(BeEmpty())
	g.Expect(errs.String()).To(ContainSubstring("GATE PASS: my-agent meets "))
	g.Expect(filepath.Join(dir, "page.html")).To(BeARegularFile())

	r.Scenarios[3].Digest = "sha256:0"
	g.Expect(reports.Write(path, r)).To(Succeed())
	out.Reset()
	g.Expect(command([]string{"gate", dir}, &out, &errs)).To(Equal(1))
	g.Expect(out.String()).To(ContainSubstring("the text of 1 scenario is not that of the catalogue: " + r.Scenarios[3].ID))
}
