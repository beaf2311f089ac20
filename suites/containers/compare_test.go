package containers_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/fakes/agent"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/harness/stack/container/containertest"
)

const seed = "20261129"

// pair is one agent in one scenario.
type pair struct{ agent, scenario string }

// judged is what a verdict comes to: the outcome and the rules, each with the
// party that it was held against.
type judged struct {
	outcome judge.Outcome
	rules   string
}

// lostreceipt runs the command and returns what it printed and how it ended.
func lostreceipt(t *testing.T, args ...string) (out string, status int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), containertest.Program(), args...)
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatalf("lostreceipt %s: %v", strings.Join(args, " "), err)
	}
	return text.String(), cmd.ProcessState.ExitCode()
}

// trials runs defects in the scenarios that they name, on one kind of stack, and
// returns what came of each.
func trials(t *testing.T, stack string, concurrency int, defects []string) map[pair]judged {
	t.Helper()
	dir := filepath.Join(t.TempDir(), stack)
	args := append([]string{"selftest", "--quiet", "--seed", seed, "--stack", stack, "--concurrency", strconv.Itoa(concurrency), "--out", dir}, defects...)
	if out, status := lostreceipt(t, args...); status == 3 || status == 130 {
		t.Fatalf("selftest: status %d\n%s", status, out)
	}
	found, err := filepath.Glob(filepath.Join(dir, "runs", "*", "*", "1", "verdict.json"))
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	all := map[pair]judged{}
	for _, path := range found {
		text, err := os.ReadFile(path)
		NewWithT(t).Expect(err).NotTo(HaveOccurred())
		var v judge.Verdict
		NewWithT(t).Expect(json.Unmarshal(text, &v)).To(Succeed())
		var rules []string
		for _, f := range v.Findings {
			rules = append(rules, f.Rule+" ("+string(f.Party)+")")
		}
		slices.Sort(rules)
		parts := strings.Split(filepath.ToSlash(path), "/")
		of := pair{parts[len(parts)-4], parts[len(parts)-3]}
		all[of] = judged{v.Outcome, strings.Join(slices.Compact(rules), ", ")}
	}
	return all
}

// tries is how often what differs is run again, on both: on a busy machine a
// timing may be nobody's fault, or another finding.
const tries = 3

// TestEveryDefectIsFoundOutByTheSameRules compares both kinds of stack scenario
// by scenario.
func TestEveryDefectIsFoundOutByTheSameRules(t *testing.T) {
	needsEngine(t)
	var defects []string
	for _, d := range agent.Defects() {
		defects = append(defects, d.Name)
	}
	seen := map[string]map[pair][]judged{"embedded": {}, "containers": {}}
	compared := 0
	for try := 1; len(defects) > 0; try++ {
		for stack, all := range seen {
			start := time.Now()
			for of, got := range trials(t, stack, max(3, 16/try), defects) {
				all[of] = append(all[of], got)
			}
			t.Logf("%d defects, %s: %s", len(defects), stack, time.Since(start).Round(time.Second))
		}
		if try == 1 {
			compared = len(seen["embedded"])
		}
		differs := unlike(seen["embedded"], seen["containers"])
		defects = nil
		for of, how := range differs {
			t.Logf("try %d: %s in %s: %s", try, of.agent, of.scenario, how)
			if !slices.Contains(defects, of.agent) {
				defects = append(defects, of.agent)
			}
		}
		if try == tries {
			break
		}
	}
	if len(defects) > 0 {
		t.Errorf("these differ each time: %s", strings.Join(defects, ", "))
	}
	NewWithT(t).Expect(compared).To(BeNumerically(">", len(agent.Defects())), "pairs of a defect and a scenario")
	t.Logf("%d pairs of a defect and a scenario: the same outcome and the same rules", compared)
}

// unlike are the pairs of which no try came to the same on both stacks.
func unlike(embedded, containers map[pair][]judged) map[pair]string {
	differs := map[pair]string{}
	for of, here := range embedded {
		there := containers[of]
		if !slices.ContainsFunc(here, func(j judged) bool { return slices.Contains(there, j) }) {
			differs[of] = "embedded " + told(here) + "; in containers " + told(there)
		}
	}
	return differs
}

func told(all []judged) string {
	var texts []string
	for _, j := range all {
		texts = append(texts, string(j.outcome)+" ["+j.rules+"]")
	}
	if len(texts) == 0 {
		return "nothing"
	}
	return strings.Join(texts, " or ")
}
