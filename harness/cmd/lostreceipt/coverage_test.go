package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/requirement"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
)

// ofCoverage runs the verb.
func ofCoverage(t *testing.T, v coverageVerb) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := v.Run(&invocation{out: &out})
	if err != nil && !errors.Is(err, exit(statusGap)) {
		t.Fatal(err)
	}
	return out.String(), err
}

func TestEveryCitationIsOfARequirement(t *testing.T) {
	_, err := covered()
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
}

// open are the gaps that are known in the sections that are built. A new one is
// a failure; one that is closed is taken off the list.
func open() map[string]string {
	return map[string]string{}
}

func TestNoRequirementLosesWhatShowsIt(t *testing.T) {
	g := NewWithT(t)
	covers, err := covered("B", "C")
	g.Expect(err).NotTo(HaveOccurred())
	for _, c := range covers {
		switch known, lacks := open()[c.ID], lacking(c); {
		case lacks == known:
		case lacks == "":
			t.Logf("%s has no gap any more: take it off the list of this test", c.ID)
		case !strings.Contains(known, lacks):
			t.Errorf("%s: %s", c.ID, lacks)
		}
	}
}

func TestCoverageInJSONNamesWhatShowsEachRequirement(t *testing.T) {
	g := NewWithT(t)
	text, err := ofCoverage(t, coverageVerb{Format: "json"})
	var got coverage
	g.Expect(json.Unmarshal([]byte(text), &got)).To(Succeed())
	g.Expect(got.Requirements).To(HaveLen(63))
	gaps := 0
	g.Expect(got.Rows).To(ContainElement(HaveField("Scenarios", ContainElement("acceptance-unannounced"))))
	for _, r := range got.Rows {
		g.Expect(r.Scenarios).NotTo(BeEmpty(), "no scenario meets the row "+r.Row)
	}
	for _, r := range got.Requirements {
		g.Expect(r.Statement).NotTo(BeEmpty(), r.ID)
		gaps += len(r.Gaps)
		switch r.ID {
		case "B13":
			g.Expect(r.Scenarios).To(ContainElement("service-forgets-the-identifier"))
			g.Expect(r.Rules).To(ContainElement("dedup-not-atomic"))
			g.Expect(r.Defects).To(ContainElement("breaks: [atomicity]"))
			g.Expect(r.ShownBy).To(BeNil())
		case "B40":
			g.Expect(r.Scenarios).NotTo(BeNil())
			g.Expect(r.Gaps).To(BeEmpty())
			g.Expect(r.ShownBy.InsteadOf).To(Equal(requirement.Columns()))
			g.Expect(r.ShownBy.Tests).NotTo(BeEmpty())
		}
	}
	g.Expect(err != nil).To(Equal(gaps > 0), "the exit status is that of the gaps")
}

func TestAFaultyServiceIsADefectOfWhatItsScenarioCovers(t *testing.T) {
	g := NewWithT(t)
	s := &scenario.Scenario{ID: "x", Covers: []string{"B13"}}
	g.Expect(faultyServices(s)).To(BeEmpty())
	s.Expect.Blames = judge.Service
	g.Expect(faultyServices(s)).To(Equal("blames: service (x)"))
	s.Given.Approval.Breaks = []string{"atomicity", "void"}
	g.Expect(faultyServices(s)).To(Equal("breaks: [atomicity, void]"))
	s.Given.Purchase.Breaks = []string{"idempotency"}
	g.Expect(faultyServices(s)).To(Equal("breaks: [atomicity, void], purchase: {breaks: [idempotency]}"))
	last := citations([]*scenario.Scenario{s})
	g.Expect(last[len(last)-1]).To(Equal(requirement.Citation{
		Column: requirement.Defect, By: "breaks: [atomicity, void], purchase: {breaks: [idempotency]}", IDs: []string{"B13"},
	}))
}
