package contract_test

import (
	"os"
	"strings"
	"testing"

	"github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

func shipped(t *testing.T) *contract.Table {
	text, err := os.ReadFile("../../scenarios/contract.yaml")
	if err != nil {
		t.Fatal(err)
	}
	table, err := contract.Parse("contract.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestTheFirstRowWhoseConditionsHoldIsTheRow(t *testing.T) {
	facts := func(all ...contract.Fact) (set contract.Facts) {
		for _, f := range all {
			set = set.With(f, true)
		}
		return set
	}
	calm := []contract.Fact{contract.Idempotent, contract.Queryable, contract.InPeriod, contract.AttemptsLeft, contract.Protected}
	table := shipped(t)
	for _, c := range []struct {
		row      string
		standing contract.Standing
		facts    contract.Facts
		allowed  []string
	}{
		{"first-send", contract.Unsent, facts(calm...), []string{"submit"}},
		{"first-send", contract.Unsent, facts(contract.Queryable), []string{"submit", "escalate"}},
		{"preview-only", contract.Unsent, facts(contract.InPeriod, contract.AttemptsLeft), nil},
		{"unknown-replay-protected", contract.InDoubt, facts(calm...), []string{"replay"}},
		{"unknown-queryable", contract.InDoubt, facts(contract.Queryable, contract.InPeriod), nil},
		{"unknown-queryable", contract.InDoubt, facts(contract.Queryable, contract.InPeriod, contract.VoidPromised), []string{"void"}},
		{"unknown-exhausted", contract.InDoubt, facts(contract.Queryable), []string{"escalate"}},
		{"decided", contract.InDoubt, facts(contract.Queryable, contract.Decided), []string{"resubmit", "escalate"}},
		{"identifier-conflict", contract.Conflict, facts(calm...), []string{"escalate"}},
		{"cancelled-unsent", contract.Unsent, facts(append(calm, contract.Cancelled)...), nil},
		{"cancelled-unverified", contract.InDoubt, facts(append(calm, contract.Cancelled)...), nil},
		{"cancelled-accepted", contract.Accepted, facts(append(calm, contract.Cancelled, contract.WithdrawWanted, contract.Withdrawable)...), []string{"withdraw"}},
		{"cancelled-settled", contract.Approved, facts(append(calm, contract.Cancelled)...), []string{"escalate"}},
		{"revised-clear", contract.Declined, facts(append(calm, contract.Revised)...), []string{"submit-revised"}},
		{"unauthorized", contract.InDoubt, facts(append(calm, contract.Unauthorized)...), []string{"escalate"}},
		{"confirmed-accepted", contract.Accepted, facts(calm...), nil},
		{"settled-approved", contract.Approved, facts(calm...), []string{"purchase"}},
		{"settled-approved", contract.Approved, facts(append(calm, contract.NotificationMissing)...), []string{"purchase", "notify"}},
		{"escalated-resolved", contract.Approved, facts(append(calm, contract.Escalated)...), []string{"escalate"}},
		{"stopped", contract.Approved, facts(append(calm, contract.Stopped, contract.Cancelled)...), []string{"escalate"}},
	} {
		t.Run(c.row+" "+c.standing.String(), func(t *testing.T) {
			g := gomega.NewWithT(t)
			row, ok := table.Match(c.standing, c.facts)
			g.Expect(ok).To(gomega.BeTrue())
			g.Expect(row.ID).To(gomega.Equal(c.row))
			g.Expect(row.Allowed(c.standing, c.facts)).To(gomega.Equal(c.allowed))
		})
	}
}

func TestEveryRowOfTheShippedTableIsTheRowOfSomething(t *testing.T) {
	table := shipped(t)
	met := map[string]bool{}
	for set := range uint32(1) << len(contract.FactNames()) {
		for _, name := range contract.StandingNames() {
			s, _ := contract.ParseStanding(name)
			row, ok := table.Match(s, contract.Facts(set))
			if !ok {
				t.Fatalf("no row for %s with %s", s, contract.Facts(set))
			}
			met[row.ID] = true
		}
	}
	for _, row := range table.Rows {
		gomega.NewWithT(t).Expect(met).To(gomega.HaveKey(row.ID))
	}
}

func TestATableWithMistakesNamesThemAllWithTheirPlaces(t *testing.T) {
	_, err := contract.Parse("c.yaml", []byte(strings.TrimLeft(`
version: 1
colour: blue
rows:
  - id: one
    when: {standing: [unset], is: [cancelled], not: [cancelled]}
    allow: [submitt, {if: x}]
    must: [sleep]
  - id: one
  - when: {}
`, "\n")))
	gomega.NewWithT(t).Expect(strings.Split(err.Error(), "\n")).To(gomega.HaveExactElements(
		`c.yaml:2:1: unknown field "colour"`,
		gomega.HavePrefix(`c.yaml:5:23: unknown standing "unset": one of [unsent `),
		`c.yaml:5:11: cancelled can not both hold and not hold: the row can never match`,
		gomega.HavePrefix(`c.yaml:6:13: unknown action "submitt": one of [submit `),
		`c.yaml:6:23: unknown field "if"`,
		`c.yaml:6:22: a permit needs `+"`do`"+`, the action that it allows`,
		gomega.HavePrefix(`c.yaml:7:12: unknown duty "sleep": one of [`),
		`c.yaml:8:5: row "one" stands in line 4 already`,
		`c.yaml:9:5: a row without an id`,
	))
}

func TestATableThatIsNotCompleteIsRefused(t *testing.T) {
	g := gomega.NewWithT(t)
	_, err := contract.Parse("c.yaml", []byte("version: 1\nrows:\n  - id: a\n    when: {is: [cancelled]}\n"))
	g.Expect(err).To(gomega.MatchError(gomega.ContainSubstring("no row is sure to match an intent that is unsent: add one without facts")))
	_, err = contract.Parse("c.yaml", []byte("version: 1\nrows:\n  - id: all\n  - id: late\n    when: {standing: [unsent], is: [cancelled]}\n"))
	g.Expect(err).To(gomega.MatchError(gomega.ContainSubstring(`c.yaml:4:1: row "late" can never match: a row above it takes every unsent intent`)))
	_, err = contract.Parse("c.yaml", []byte(""))
	g.Expect(err).To(gomega.HaveOccurred())
	_, err = contract.Parse("c.yaml", []byte("version: 2\nrows: []\n"))
	g.Expect(err).To(gomega.MatchError(gomega.ContainSubstring("version is 2, and this harness reads version 1")))
}

func TestLimitsTravelInMilliseconds(t *testing.T) {
	g := gomega.NewWithT(t)
	limits := contract.Defaults().Scale(contract.DefaultScale)
	text, err := limits.MarshalJSON()
	g.Expect(err).NotTo(gomega.HaveOccurred())
	g.Expect(string(text)).To(gomega.MatchJSON(`{"attempt_timeout_ms":400,"max_attempts":3,"backoff_base_ms":25,"backoff_max_ms":400,
		"backoff_jitter":0.5,"verification_period_ms":3000,"retention_ms":2000,"breaker_threshold":3,"max_steps":20}`))
	var back contract.Limits
	g.Expect(back.UnmarshalJSON(text)).To(gomega.Succeed())
	g.Expect(back).To(gomega.Equal(limits))
	g.Expect(limits.Step(1)).To(gomega.Equal(limits.BackoffBase))
	g.Expect(limits.Step(3)).To(gomega.Equal(4 * limits.BackoffBase))
	g.Expect(limits.Step(99)).To(gomega.Equal(limits.BackoffMax))
}
