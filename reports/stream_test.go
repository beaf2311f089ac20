package reports_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

func TestStreamWritesOneLineAScenario(t *testing.T) {
	g := NewWithT(t)
	out := &shared{}
	s := reports.NewStream(out)
	r := sample()
	r.Scenarios = append(r.Scenarios, poisoned().Scenarios...)
	for i := range r.Scenarios {
		if len(r.Scenarios[i].Repetitions) > 0 { // the verdict follows from them, also before the report is made
			r.Scenarios[i].Verdict = judge.Verdict{}
		}
	}
	var all sync.WaitGroup
	for _, result := range r.Scenarios {
		all.Go(func() { g.Expect(s.Scenario(result)).To(Succeed()) })
	}
	all.Wait()

	g.Expect(raw(out.String())).To(BeEmpty())
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	g.Expect(lines).To(HaveLen(len(r.Scenarios)))
	got := map[string]string{}
	for _, line := range lines {
		var v struct {
			Schema  string
			ID      string
			Verdict struct{ Outcome string }
		}
		g.Expect(json.Unmarshal([]byte(line), &v)).To(Succeed())
		g.Expect(v.Schema).To(Equal("lostreceipt.scenario/v1"))
		got[v.ID] = v.Verdict.Outcome
	}
	g.Expect(got).To(HaveLen(len(r.Scenarios)))
	g.Expect(got).To(HaveKeyWithValue("shaky", "violation"))
}
