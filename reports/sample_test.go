package reports_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/gomega"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares text with testdata/name.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		NewWithT(t).Expect(os.WriteFile(path, []byte(text), 0o644)).To(Succeed())
	}
	want, err := os.ReadFile(path)
	NewWithT(t).Expect(err).NotTo(HaveOccurred())
	NewWithT(t).Expect(text).To(Equal(string(want)), "%s; if the change is meant, run go test ./reports -update and look at the difference", name)
}

// hostile is what a malicious agent might get into any string.
const hostile = "\x1b[2J\x1b]0;owned\x07\x9b31m\u009b1m<script>alert(1)</script> ]]> | @everyone #12 `x` **b** " +
	"https://evil.example/ www.evil.example \r\n::set-output name=a::b\n\x00\xff\xfe\u202egnp.exe [l](javascript:x) &amp; \"'"

func guarantees() contract.Guarantees {
	return contract.Guarantees{
		"approval.submit": {
			Idempotency:      contract.Idempotency{Supported: true, Scope: []string{"tenant", "action", "object"}, RetentionMS: 2000, Conflict: "reject"},
			Query:            contract.Query{ByRef: true, ByKey: true},
			NoEffectStatuses: []int{403, 409, 422, 429},
			WithdrawStates:   []string{"pending"},
		},
		"purchase.buy": {Query: contract.Query{ByKey: true}},
	}
}

func duplicate() judge.Finding {
	return judge.Finding{
		Rule: "duplicate-consequence", Party: judge.Agent, Task: "t-1", Intent: "c-1/1 submit", Row: "unknown-queryable", Action: "resubmit",
		Observed: "two approvals stand in the ledger for one confirmed version: A-1 (key k-1) and A-2 (key k-2)",
		Records:  []int{14, 31, 44}, Allowed: []string{"void"}, Must: []string{"keep-verifying", "pause-dependents"},
		Cause:   "the client made a new identifier for its second attempt",
		Correct: "query by the identifier k-1 until the period is over, then escalate",
		Repeat:  "lostreceipt rerun lostreceipt-out/runs/lost-receipt/1 -- python3 adapter.py",
	}
}

func once(outcome judge.Outcome, d time.Duration, v judge.Verdict, id string) []reports.Repetition {
	v.Outcome = outcome
	return []reports.Repetition{{N: 1, Outcome: outcome, Duration: d, Evidence: reports.Evidence(id, 1), Verdict: v}}
}

// head is a report without scenarios.
func head() *reports.Report {
	r := reports.New()
	r.Harness = reports.Harness{Version: "0.1.0", Commit: "abc1234", Go: "go1.26.8", OS: "linux", Arch: "amd64", CPUs: 2}
	r.Agent = reports.Agent{Name: "my-agent", Kind: reports.KindCommand, Command: []string{"python3", "adapter.py"}, Lacks: []string{"withdraw"}}
	r.Contract = reports.Contract{Version: "1", Digest: "sha256:c0ffee"}
	r.Catalogue = reports.Catalogue{Digest: "sha256:5eed", Count: 24}
	r.Limits, r.Scale, r.Seed = contract.Defaults().Scale(0.05), 0.05, 1<<63+1
	r.Stack = "embedded"
	r.Started = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	r.Repeat = "lostreceipt run --seed 9223372036854775809 -- python3 adapter.py"
	return r
}

// sample has a scenario of every outcome, one that did not run, and repetitions.
func sample() *reports.Report {
	r := head()
	r.Selected = []string{"approver-declines", "no-fault", "lost-receipt", "withdraw-late", "vacuous-one", "noisy", "broken-scenario", "shaky", "never-ran"}
	r.Add(reports.Scenario{
		ID: "no-fault", Title: "Nothing breaks", Covers: []string{"B01"}, Guarantees: guarantees(),
		Repetitions: once(judge.Pass, 1234*time.Millisecond, judge.Verdict{
			Ends: []string{"completed"}, Calls: 7, Noise: 3 * time.Millisecond,
			Counts: map[string]int{"approval": 1, "notification": 1, "purchase": 1, "withdrawal": 0},
		}, "no-fault"),
	})
	r.Add(reports.Scenario{
		ID: "lost-receipt", Title: "The approval is created; the network breaks before the receipt returns", Covers: []string{"B01", "B04", "C1"},
		Guarantees: guarantees(),
		Repetitions: once(judge.Violation, 2*time.Second, judge.Verdict{
			Findings: []judge.Finding{duplicate(), {
				Rule: "dedup-not-atomic", Party: judge.Service, Observed: "a key was stored after its approval", Records: []int{20}, Uncertain: true,
				Margin: 12 * time.Millisecond,
			}},
			Ends: []string{"completed"}, Counts: map[string]int{"approval": 2, "purchase": 1}, Calls: 9,
		}, "lost-receipt"),
	})
	r.Add(reports.Scenario{
		ID: "withdraw-late", Title: "A success arrives after the task was cancelled", Lacking: []string{"withdraw"},
		Verdict: judge.Verdict{Outcome: judge.NotApplicable, Reasons: []string{"the agent does not declare withdraw"}},
	})
	r.Add(reports.Scenario{
		ID: "vacuous-one", Title: "A fault at the third query",
		Repetitions: once(judge.Vacuous, 900*time.Millisecond, judge.Verdict{Reasons: []string{"fault f-1 (approval.query#3 delivered: reset) did not fire"}}, "vacuous-one"),
	})
	r.Add(reports.Scenario{
		ID: "noisy", Title: "A wait that is close to its bound",
		Repetitions: once(judge.Undetermined, time.Minute+1500*time.Millisecond, judge.Verdict{Reasons: []string{"the machine's noise (40ms) is larger than the margin"}}, "noisy"),
	})
	r.Add(reports.Scenario{
		ID: "broken-scenario", Title: "A scenario that blames nobody",
		Repetitions: once(judge.HarnessError, 10*time.Millisecond, judge.Verdict{Reasons: []string{"scenario unsound: a duplicate stands although every action was lawful"}}, "broken-scenario"),
	})
	var shaky []reports.Repetition
	for n, o := range []judge.Outcome{judge.Pass, judge.Violation, judge.Pass} {
		rep := once(o, time.Second, judge.Verdict{}, "shaky")[0]
		rep.N, rep.Evidence = n+1, reports.Evidence("shaky", n+1)
		if o == judge.Violation {
			rep.Verdict.Findings = []judge.Finding{{Rule: "backoff-flat", Party: judge.Agent, Observed: "the wait before attempt 2 was 3ms, at least 12.5ms is due", Records: []int{9, 12}}}
		}
		shaky = append(shaky, rep)
	}
	r.Add(reports.Scenario{ID: "shaky", Title: "Three repetitions, one of them wrong", Repetitions: shaky})
	r.Add(reports.Scenario{
		ID: "approver-declines", Title: "The approver says no", Outside: true, Guarantees: guarantees(),
		Repetitions: once(judge.Pass, 1500*time.Millisecond, judge.Verdict{Ends: []string{"declined"}, Counts: map[string]int{"approval": 1}}, "approver-declines"),
	})
	r.Seal(12345 * time.Millisecond)
	return r
}

// passing is a whole catalogue without a blemish.
func passing() *reports.Report {
	r := head()
	r.Agent.Lacks = nil
	r.Catalogue.Count = 2
	for _, id := range []string{"lost-receipt", "no-fault"} {
		r.Selected = append(r.Selected, id)
		r.Add(reports.Scenario{
			ID: id, Title: "Title of " + id, Guarantees: guarantees(),
			Repetitions: once(judge.Pass, time.Second, judge.Verdict{Ends: []string{"completed"}, Counts: map[string]int{"approval": 1}}, id),
		})
	}
	r.Seal(2 * time.Second)
	return r
}

// poisoned has a hostile string wherever a string can stand, and very long ones.
func poisoned() *reports.Report {
	r := head()
	long := hostile + strings.Repeat("\u0301a", 3000) + strings.Repeat("long ", 20000)
	r.Agent = reports.Agent{Name: hostile, Kind: hostile, Command: []string{hostile, long}, Lacks: []string{hostile}, Quiet: []string{hostile}}
	r.Contract = reports.Contract{Version: hostile, Digest: hostile}
	r.Repeat = long
	r.Interrupted = &reports.Interruption{Reason: long}
	r.Selected = []string{hostile, "missing " + hostile}
	f := judge.Finding{
		Rule: hostile, Party: judge.Party(hostile), Task: long, Intent: hostile, Row: hostile, Action: hostile, Observed: long,
		Records: make([]int, 5000), Allowed: []string{hostile, long}, Must: []string{hostile, long}, Cause: long, Correct: hostile, Repeat: long,
	}
	v := judge.Verdict{Reasons: []string{long, hostile}, Ends: []string{hostile, long}, Counts: map[string]int{hostile: 3}}
	for range 40 {
		v.Findings = append(v.Findings, f)
	}
	r.Add(reports.Scenario{
		ID: hostile, Title: long, Covers: []string{hostile}, Lacking: []string{hostile},
		Guarantees:  contract.Guarantees{hostile: {Idempotency: contract.Idempotency{Supported: true, Scope: []string{hostile}}, WithdrawStates: []string{long}}},
		Repetitions: once(judge.Violation, time.Second, v, hostile),
	})
	r.SelfTest = &reports.SelfTest{
		Designs: []reports.Design{{Name: hostile, Outcome: judge.Outcome(hostile), Problems: []string{hostile, long}}},
		Kills:   []reports.Kill{{Defect: hostile, Rule: hostile, Scenario: hostile, Result: hostile, Rules: []string{hostile}}, {Defect: long, Result: reports.Killed}},
	}
	for _, o := range []judge.Outcome{judge.Vacuous, judge.NotApplicable, judge.Outcome(hostile)} {
		r.Add(reports.Scenario{ID: hostile + string(o), Lacking: []string{long}, Verdict: judge.Verdict{Outcome: o, Reasons: v.Reasons}})
	}
	r.Seal(time.Second)
	return r
}
