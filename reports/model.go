package reports

import (
	"time"

	"github.com/lostreceipt/lostreceipt/harness/contract"
	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// Schema names the form of report.json. Fields may be added within a version;
// a change that an older reader would misunderstand makes a new one.
const Schema = "lostreceipt.report/v1"

// A Report is everything that a run showed. Outcome, Totals, Assumed and
// NotApplicable follow from the rest: [Report.Seal] sets them, and [Read]
// refuses a report in which they contradict it.
type Report struct {
	_ struct{}

	Schema    string        `json:"schema"`
	Outcome   judge.Outcome `json:"outcome"`
	Totals    Totals        `json:"totals"`
	Agent     Agent         `json:"agent"`
	Harness   Harness       `json:"harness"`
	Contract  Contract      `json:"contract"`
	Catalogue Catalogue     `json:"catalogue"`

	Limits   contract.Limits `json:"limits"` // as scaled
	Scale    float64         `json:"scale"`
	Seed     uint64          `json:"seed,string"` // a string, since many JSON readers round large numbers
	Stack    string          `json:"stack"`       // embedded or containers
	Started  time.Time       `json:"started"`
	Duration time.Duration   `json:"duration_ns"`
	Noise    time.Duration   `json:"noise_ns"`         // largest scheduling delay of the run
	Repeat   string          `json:"repeat,omitempty"` // the command that repeats the whole run

	// Shard is set when this is one part of a run that was divided, see [Merge].
	Shard *Shard `json:"shard,omitempty"`
	// Interrupted is set when the run ended before its scenarios did.
	Interrupted *Interruption `json:"interrupted,omitempty"`
	// Selected are the ids of the scenarios that were to run. What is selected and has no result is missing.
	Selected []string `json:"selected"`

	Scenarios     []Scenario   `json:"scenarios"`
	Assumed       []Assumption `json:"assumed"`        // what was assumed of the services
	Assumption    string       `json:"assumption"`     // the sentence that says who must verify it
	NotApplicable []Lacking    `json:"not_applicable"` // what the agent does not declare, and so was not judged
	SelfTest      *SelfTest    `json:"self_test,omitempty"`
}

// The kinds of agent.
const (
	KindCommand   = "command"   // a process started by a command
	KindService   = "service"   // a running service that work is pushed to
	KindImage     = "image"     // a container image
	KindFunction  = "function"  // a Go function
	KindReference = "reference" // the built-in reference agent
)

// Agent is the implementation under test.
type Agent struct {
	_ struct{}

	Name    string   `json:"name"`
	Kind    string   `json:"kind"`
	Build   string   `json:"build,omitempty"`   // which build it is, as its team names builds; a gate can ask for one
	Design  string   `json:"design,omitempty"`  // of the reference
	Defect  string   `json:"defect,omitempty"`  // of the reference
	Command []string `json:"command,omitempty"` // the command line, secrets already taken out
	Door    string   `json:"door,omitempty"`    // how it is driven when not by the agent protocol
	Lacks   []string `json:"lacks,omitempty"`   // capabilities declared false
	Quiet   []string `json:"quiet,omitempty"`   // families of rules that cannot be judged through its door
}

// Reference tells whether the agent is the project's own.
func (a Agent) Reference() bool { return a.Kind == KindReference }

// Harness is what ran the scenarios.
type Harness struct {
	_ struct{}

	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Go      string `json:"go,omitempty"`
	OS      string `json:"os,omitempty"`
	Arch    string `json:"arch,omitempty"`
	CPUs    int    `json:"cpus,omitempty"`
}

// Contract is the table that was judged by, see [ContractOf].
type Contract struct {
	_ struct{}

	Version string `json:"version"`
	Digest  string `json:"digest"`
	Rows    []Row  `json:"rows,omitempty"` // in the order of the table
}

// Row is one row of the contract table, as people read it.
type Row struct {
	_ struct{}

	ID      string   `json:"id"`
	Summary string   `json:"summary"`
	Allow   []string `json:"allow,omitempty"` // actions that it allows, under some condition at least
	Must    []string `json:"must,omitempty"`  // duties
}

// Catalogue is the whole from which scenarios were selected, so that a part of
// it cannot pass for the whole.
type Catalogue struct {
	_ struct{}

	Digest string   `json:"digest"`        // of all its scenarios
	Count  int      `json:"count"`         // of all its scenarios, selected or not
	IDs    []string `json:"ids,omitempty"` // of all its scenarios
}

// Shard says which part of a divided run a report is, see [Divide].
type Shard struct {
	_ struct{}

	Index  int    `json:"index"`  // from 1
	Of     int    `json:"of"`     // how many there are
	Whole  int    `json:"whole"`  // how many scenarios all of them have together
	Digest string `json:"digest"` // of the ids of all of them
}

// Interruption says why a run ended early.
type Interruption struct {
	_ struct{}

	Reason string `json:"reason"` // "interrupt", "terminated", "panic: ...", "disk full", ...
}

// Totals counts scenarios.
type Totals struct {
	_ struct{}

	Selected      int `json:"selected"`
	Ran           int `json:"ran"`
	Pass          int `json:"pass"`
	Violation     int `json:"violation"`
	HarnessError  int `json:"harness_error"`
	Vacuous       int `json:"vacuous"`
	Undetermined  int `json:"undetermined"`
	NotApplicable int `json:"not_applicable"`
	Missing       int `json:"missing"` // selected and without a result
	Findings      int `json:"findings"`
}

// Scenario is the result of one scenario over all its repetitions.
type Scenario struct {
	_ struct{}

	ID     string   `json:"id"`
	Title  string   `json:"title"`
	Covers []string `json:"covers,omitempty"` // requirement ids
	Digest string   `json:"digest,omitempty"` // of its text
	File   string   `json:"file,omitempty"`   // where its text stands, for annotations
	// Outside marks a scenario that is not of the catalogue: it counts for the outcome and not for completeness.
	Outside bool `json:"outside,omitempty"`
	// Verdict is that of the first repetition with the worst outcome. [Report.Add] sets it from the repetitions.
	Verdict judge.Verdict `json:"verdict"`
	// Guarantees are what the services promised in it.
	Guarantees contract.Guarantees `json:"guarantees,omitempty"`
	// Lacking are capabilities that it needs and the agent does not declare.
	Lacking     []string      `json:"lacking,omitempty"`
	Duration    time.Duration `json:"duration_ns"` // of all repetitions together
	Repetitions []Repetition  `json:"repetitions,omitempty"`
}

// Repetition is one run of a scenario.
type Repetition struct {
	_ struct{}

	N        int           `json:"n"` // from 1
	Outcome  judge.Outcome `json:"outcome"`
	Duration time.Duration `json:"duration_ns"`
	Evidence string        `json:"evidence,omitempty"` // its directory, relative to the report, slashes
	// HistoryDigest is the SHA-256 of its history.jsonl, as "sha256:" and hexadecimal digits, taken while it was
	// written. "" where nothing was recorded, and in a report of an older lostreceipt. See [Report.CheckEvidence].
	HistoryDigest string `json:"history_digest,omitempty"`
	Problem       string `json:"problem,omitempty"` // evidence that could not be saved, say
	// Rules are those by which it was violated, see [Decides]; a waiver must excuse those of every repetition. Empty for
	// any other outcome, and in a report of an older lostreceipt.
	Rules []string `json:"rules,omitempty"`
	// Hidden is how it counts without them, see [judge.Verdict].
	Hidden judge.Outcome `json:"hidden,omitempty"`

	// Verdict is the whole verdict, which stands in the evidence and not in the report.
	Verdict judge.Verdict `json:"-"`
	// Output is the end of what the agent printed, where it may say why it crashed or never settled.
	// All that was kept is in the evidence.
	Output []string `json:"-"`
}

// Assumption is one promise of a service on which verdicts rest.
type Assumption struct {
	_ struct{}

	Operation string           `json:"operation"`
	Promise   contract.Promise `json:"promise"`
	Words     string           `json:"words"`
	Scenarios []string         `json:"scenarios"`
}

// Lacking is a capability that the agent does not declare.
type Lacking struct {
	_ struct{}

	Capability string   `json:"capability"`
	Scenarios  []string `json:"scenarios"` // not applicable because of it
}

// SelfTest is the proof that the judge bites: correct designs are clean, and
// every defect is killed by the rule made for it.
type SelfTest struct {
	_ struct{}

	Designs []Design `json:"designs"`
	Kills   []Kill   `json:"kills"`
}

// Design is the result of one correct design.
type Design struct {
	_ struct{}

	Name      string        `json:"name"`
	Outcome   judge.Outcome `json:"outcome"`
	Scenarios int           `json:"scenarios"`
	Problems  []string      `json:"problems,omitempty"` // scenario and rule or reason
}

// What became of a defect in a scenario.
const (
	Killed      = "killed"       // the rule made for it fired
	WrongReason = "wrong-reason" // it was found by another rule only
	Survived    = "survived"     // it met its fault and was not found
	Void        = "void"         // it never met its fault: not a kill
)

// Kill is one cell of the kill matrix: a defect in a scenario.
type Kill struct {
	_ struct{}

	Defect   string   `json:"defect"`
	Rule     string   `json:"rule"` // the rule that is to find it
	Scenario string   `json:"scenario"`
	Result   string   `json:"result"`
	Rules    []string `json:"rules,omitempty"` // that fired
}
