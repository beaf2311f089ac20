package main

import (
	"bytes"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

func twoRows() *contract.Table {
	return &contract.Table{Rows: []contract.Row{{ID: "first-send", Summary: "nothing was sent"}, {ID: "confirmed-partial", Summary: "a part is missing"}}}
}

func TestARowThatNoScenarioMeetsIsAGap(t *testing.T) {
	g := NewWithT(t)
	s := &scenario.Scenario{ID: "x"}
	s.Expect.Rows = []string{"first-send"}
	rows := rowCover(twoRows(), []*scenario.Scenario{s})
	g.Expect(unmet(rows)).To(Equal([]string{"confirmed-partial"}))
	var out bytes.Buffer
	g.Expect(printRows(&out, rows)).To(Succeed())
	g.Expect(out.String()).To(Equal("\nrow                scenarios  \nfirst-send         1          nothing was sent\n" +
		"confirmed-partial  none       a part is missing\nno scenario meets 1 of 2 rows of the contract: confirmed-partial\n"))

	s.Expect.Rows = append(s.Expect.Rows, "confirmed-partial")
	out.Reset()
	g.Expect(printRows(&out, rowCover(twoRows(), []*scenario.Scenario{s}))).To(Succeed())
	g.Expect(out.String()).To(HaveSuffix("no gap in 2 rows of the contract\n"))
}

func TestTheSelfTestFailsOnARowThatNoCorrectDesignMeets(t *testing.T) {
	g := NewWithT(t)
	met := func(id string, says []string, rows ...string) run.Result {
		s := &scenario.Scenario{ID: id}
		s.Expect.Rows = says
		r := run.Result{Job: run.Job{Scenario: s}, Verdict: judge.Verdict{Outcome: judge.Pass}}
		for _, row := range rows {
			r.Verdict.Cells = append(r.Verdict.Cells, judge.Cell{Row: row})
		}
		return r
	}
	p := &proof{}
	p.rows([]*trial{{name: "reference", results: []run.Result{met("a", []string{"first-send"}, "first-send")}}}, twoRows(), time.Second)
	g.Expect(p.Failures).To(Equal([]string{"no correct design met the row confirmed-partial in any scenario"}))
	g.Expect(p.UncoveredRows).To(Equal([]string{"confirmed-partial"}))

	p = &proof{}
	p.rows([]*trial{
		{name: "reference", results: []run.Result{met("a", []string{"first-send", "confirmed-partial"}, "first-send"), met("b", nil, "confirmed-partial")}},
		{name: "cautious", results: []run.Result{met("a", []string{"first-send", "confirmed-partial"}, "first-send")}},
	}, twoRows(), time.Second)
	g.Expect(p.Failures).To(Equal([]string{"a says that correct designs meet the row confirmed-partial, and none did"}))
	g.Expect(p.Rows[0].Scenarios).To(Equal(map[string][]string{"a": {"reference", "cautious"}}))

	var out bytes.Buffer
	tellRows(&out, p.Rows, []string{"reference", "cautious"})
	g.Expect(out.String()).To(Equal("\nROW\treference\tcautious\nfirst-send\t1\t1\nconfirmed-partial\t1\t0\n"))

	late := met("c", []string{"first-send"}, "confirmed-partial")
	late.Verdict.Noise = 2 * time.Second
	p = &proof{}
	p.rows([]*trial{{name: "reference", results: []run.Result{met("a", nil, "first-send"), late}}}, twoRows(), time.Second)
	g.Expect(p.Failures).To(BeEmpty(), "a machine that was too busy says nothing about one scenario")

	p = prove(nil, twoRows(), time.Second, false)
	g.Expect(p.Failures).To(BeEmpty(), "a part says nothing about what is missing")
}
