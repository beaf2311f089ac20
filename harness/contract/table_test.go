package contract_test

import (
	"os"
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
