package judge

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
)

// Outcome is the one-word result of a scenario.
type Outcome string

// The outcomes. Of those that apply to a scenario, the first is its outcome;
// [Worst] orders them for a run.
const (
	Violation     Outcome = "violation"      // the agent did, or failed to do, something that the contract forbids
	HarnessError  Outcome = "harness-error"  // the harness or the scenario is at fault
	Vacuous       Outcome = "vacuous"        // a planned fault did not fire, or the agent was never called
	Undetermined  Outcome = "undetermined"   // the evidence or the machine's noise allows no verdict
	NotApplicable Outcome = "not-applicable" // the agent does not declare a capability that the scenario needs
	Pass          Outcome = "pass"
)

// Outcomes are all outcomes, in order of precedence.
func Outcomes() []Outcome {
	return []Outcome{Violation, HarnessError, Vacuous, Undetermined, NotApplicable, Pass}
}

// Party is who a finding accuses.
type Party string

// The parties.
const (
	Agent    Party = "agent"
	Service  Party = "service"
	Scenario Party = "scenario"
)

// Setup is what the judge needs beside the records. It is stored in the
// history's first record.
type Setup struct {
	_ struct{}

	Scenario   string              `json:"scenario"`
	Limits     contract.Limits     `json:"limits"`
	Scale      float64             `json:"scale"`
	Seed       uint64              `json:"seed"`
	Guarantees contract.Guarantees `json:"guarantees"`
	Contract   string              `json:"contract"` // digest of the table
	Expect     Expect              `json:"expect"`
	// Lacking are the capabilities that the scenario needs and the agent does not declare.
	Lacking []string `json:"lacking,omitempty"`
	// Mute is set for an agent that knows nothing of the protocol: it takes no work, claims nothing and ends its
	// tasks with its process. The rules of [Unheard] are not applicable to it.
	Mute bool `json:"mute,omitempty"`
}

// Expect is what a scenario adds to the rules. It never takes one away.
type Expect struct {
	_ struct{}

	AnyOf  []Ending `json:"any_of,omitempty"` // at least one must hold; empty: any lawful ending
	Blames Party    `json:"blames,omitempty"` // a finding against this party is what the scenario is about
	Never  []string `json:"never,omitempty"`  // rules that must not fire, whoever is the party
	Rows   []string `json:"rows,omitempty"`   // coverage: rows that the reference designs meet here
}

// Ending is one lawful way for a scenario to end.
type Ending struct {
	_ struct{}

	Ends         []string       `json:"ends,omitempty"`         // result statuses, any of them
	Consequences map[string]int `json:"consequences,omitempty"` // kind (approval, notification, purchase, withdrawal, escalation) to count; kinds not named are not checked
}

// Verdict is the judgement of one history.
type Verdict struct {
	_ struct{}

	Outcome Outcome  `json:"outcome"`
	Reasons []string `json:"reasons,omitempty"` // why it is not pass, a sentence each, when no finding says so
	// Hidden is, of a violation, the outcome that the rest of the history has: what holds when somebody answers for
	// the findings. "" for another outcome, and in a verdict of an older lostreceipt.
	Hidden   Outcome   `json:"hidden,omitempty"`
	Findings []Finding `json:"findings,omitempty"`
	// Cells are what was exercised: the row of an intent when a fault fired or an action was taken.
	Cells  []Cell         `json:"cells,omitempty"`
	Ends   []string       `json:"ends,omitempty"`         // result status of each task
	Counts map[string]int `json:"consequences,omitempty"` // consequences in the ledgers, by kind
	Calls  int            `json:"calls"`                  // calls that the agent made to services
	// Unheard are the rules that were not judged, because the agent knows nothing of the protocol.
	Unheard []string      `json:"unheard,omitempty"`
	Noise   time.Duration `json:"noise"` // nanoseconds
}

// Cell is one point of the coverage map.
type Cell struct {
	_ struct{}

	Row    string `json:"row"`
	Phase  string `json:"phase,omitempty"`  // of the fault that fired last before the action, "" with none
	Effect string `json:"effect,omitempty"` // of that fault
}

// Finding is one thing that is wrong, told so that a person can check it.
type Finding struct {
	_ struct{}

	Rule     string   `json:"rule"`
	Party    Party    `json:"party"`
	Task     string   `json:"task,omitempty"`
	Intent   string   `json:"intent,omitempty"`
	Row      string   `json:"row,omitempty"`
	Action   string   `json:"action,omitempty"`
	Observed string   `json:"observed"`          // what the records show
	Records  []int    `json:"records,omitempty"` // by number
	Allowed  []string `json:"allowed,omitempty"` // what the row allows
	Must     []string `json:"must,omitempty"`    // what the row demands
	Cause    string   `json:"cause,omitempty"`   // the likely cause; an inference, labelled so wherever it is shown
	Correct  string   `json:"correct,omitempty"` // what a correct implementation does
	Repeat   string   `json:"repeat,omitempty"`  // the command that repeats it; set by whoever ran it
	// Margin is set on a finding that rests on time: by how much the bound was missed. A margin within
	// the machine's noise makes the scenario undetermined instead of a violation.
	Margin time.Duration `json:"margin,omitempty"`
	// Uncertain marks a finding that the evidence does not force.
	Uncertain bool `json:"uncertain,omitempty"`

	noise time.Duration // about the instants that it rests on; 0: at any time
}

// Worst is the outcome of a run of several scenarios: violation if any, else
// harness-error, else vacuous or undetermined, else pass. A run with nothing
// but not-applicable scenarios, or with none, is not a pass.
func Worst(outcomes []Outcome) Outcome {
	seen := map[Outcome]bool{}
	for _, o := range outcomes {
		seen[o] = true
	}
	for _, o := range []Outcome{Violation, HarnessError, Vacuous, Undetermined, Pass} {
		if seen[o] {
			return o
		}
	}
	if seen[NotApplicable] {
		return NotApplicable
	}
	return Vacuous
}

// ExitStatus maps an outcome of a run to the exit status of the command line.
func (o Outcome) ExitStatus() int {
	switch o {
	case Pass:
		return 0
	case Violation:
		return 1
	case HarnessError:
		return 4
	default:
		return 2
	}
}
