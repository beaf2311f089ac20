package adapters_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/run"
	"github.com/lostreceipt/lostreceipt/harness/scenario"
	"github.com/lostreceipt/lostreceipt/scenarios"
)

// eino builds the agent that is made with the eino framework and knows nothing
// of the protocol. It is a module of its own, so that its libraries are none of
// this one's.
func eino(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "eino")
	build := exec.CommandContext(t.Context(), "go", "build", "-C", "eino", "-o", program, ".")
	said, err := build.CombinedOutput()
	NewWithT(t).Expect(err).NotTo(HaveOccurred(), "%s", said)
	return program
}

// behind runs scenarios against a command behind the door of addresses.
func behind(t *testing.T, names []string, command ...string) map[string]run.Result {
	t.Helper()
	g := NewWithT(t)
	table, err := scenarios.Contract()
	g.Expect(err).NotTo(HaveOccurred())
	catalogue, err := scenario.LoadDir(scenarios.Catalogue, scenario.Options{})
	g.Expect(err).NotTo(HaveOccurred())
	selected, err := catalogue.Select(names...)
	g.Expect(err).NotTo(HaveOccurred())
	var jobs []run.Job
	for _, s := range selected {
		jobs = append(jobs, run.Job{Scenario: s, Agent: run.Bare{Command: run.Command{Args: command}}, Seed: run.Seed(1, s.ID)})
	}
	found := map[string]run.Result{}
	for _, r := range run.All(t.Context(), jobs, run.Shared{Contract: table, Scale: scale, Concurrency: 4}) {
		found[r.Job.Scenario.ID] = r
	}
	g.Expect(found).To(HaveLen(len(selected)))
	return found
}

// scale leaves a program of this size time to answer on a busy machine.
const scale = 0.2

func TestAnAgentThatKnowsNothingOfTheProtocolIsJudgedByTheWire(t *testing.T) {
	g := NewWithT(t)
	l := contract.Defaults().Scale(scale)
	program := []string{eino(t), "--timeout", l.AttemptTimeout.String(), "--backoff", l.BackoffBase.String()}

	careful := behind(t, []string{
		"question-answered", "search-heals", "search-unavailable", "search-times-out", "search-rate-limited", "search-not-found", "denied-deletion",
		"arguments-misfit", "arguments-no-json", "arguments-refused-by-the-service", "model-heals", "nothing-found", "success-text-in-failure",
	}, program...)
	for id, r := range careful {
		g.Expect(r.Verdict.Outcome).To(Equal(judge.Pass), "%s: %v %v\n%+v\n%v", id, r.Problem, r.Verdict.Reasons, r.Verdict.Findings, r.Output)
		g.Expect(r.Verdict.Unheard).To(ContainElements("never-settled", "fallback-undisclosed"), id)
		g.Expect(r.Verdict.Calls).To(BeNumerically(">", 3), id)
	}

	naive := behind(t, []string{"question-answered", "search-heals"}, append(program, "--naive")...)
	g.Expect(naive["question-answered"].Verdict.Outcome).To(Equal(judge.Pass))
	var rules []string
	for _, f := range naive["search-heals"].Verdict.Findings {
		rules = append(rules, f.Rule)
	}
	g.Expect(rules).To(ContainElement("agent-crashed"))
}

func TestWhatTheDoorOfAddressesCannotOfferIsSaidByName(t *testing.T) {
	g := NewWithT(t)
	for id, want := range map[string][]string{
		"no-fault": {"purchase", "purchase-approval"}, "stopped-during-a-call": {"stop"}, "crash-at-step-six": {"restart"},
		"twenty-clients": {"limits"}, "all-models-down": {"escalate"},
	} {
		r := behind(t, []string{id}, "true")[id]
		g.Expect(r.Verdict.Outcome).To(Equal(judge.NotApplicable), id)
		g.Expect(r.Lacking).To(Equal(want), id)
	}
}

func TestAProgramThatEndsAtOnceHasShownNothing(t *testing.T) {
	r := behind(t, []string{"question-answered"}, "true")["question-answered"]
	NewWithT(t).Expect(r.Verdict.Outcome).To(Equal(judge.Vacuous))
	NewWithT(t).Expect(r.Verdict.Reasons).To(ContainElement("the agent never called a service, and ended no task"))
}
