package page

import "io"

// Outcomes are written as their class names: pass, violation, harness-error,
// vacuous, undetermined, not-applicable; of other things also good, bad and
// doubt.

// A View is what a page shows, in harmless words.
type View struct {
	_ struct{}

	Title   string // of the window
	Outcome string
	Word    string   // the outcome, as people say it
	Verdict string   // one line
	Proves  []string // what it proves and what not
	Gate    *Gate    // nil: no gate has decided
	Whole   Whole
	Tally   []Count
	Facts   []Fact // who and when, in the head
	Run     []Fact // everything else about the run, at the end
	Repeat  string // the command that repeats the run

	Wrong     []Wrong
	Scenarios []Scenario
	Rows      []Row
	Coverage  Coverage
	SelfTest  *SelfTest

	Assumption string
	Assumed    []Assumed
	Absent     []Absent // what was not judged
}

// Gate is what a release gate decided.
type Gate struct {
	_ struct{}

	Passed  bool
	Verdict string
	Reasons []Reason
	Notes   []string // waivers that hold, comparison with a baseline
}

// Reason is one thing that keeps the gate shut, and what to do about it.
type Reason struct {
	_ struct{}

	Text, Do string
}

// Whole says whether every scenario of the catalogue ran.
type Whole struct {
	_ struct{}

	Complete bool
	Text     string
	Missing  []string // by id
}

// Count is how many scenarios ended one way.
type Count struct {
	_ struct{}

	Outcome, Words string
	N              int
}

// Fact is a name and a value; Exact ones are shown as written.
type Fact struct {
	_ struct{}

	Name, Value string
	Exact       bool
}

// Wrong is one rule that was broken, or one reason, and where.
type Wrong struct {
	_ struct{}

	Outcome, Rule, Correct string
	Tag                    string // that the scenarios have
	N                      int    // scenarios
}

// Scenario is one line of the list, and what unfolds below it.
type Scenario struct {
	_ struct{}

	ID, Title      string
	Outcome, Words string
	Ends, Counts   string
	Time           string
	Rules          []string // that were broken, a few
	Why            string   // where there is no rule
	Search         string   // lower case: what the search looks through
	Tags           []string
	Facts          []Fact
	Reasons        []string
	Findings       []Finding
	More           int    // findings that are not shown
	Evidence       string // relative address of its directory, "" without
	// Unfold writes the HTML of its history with at most so many records; nil when there is none.
	Unfold func(w io.Writer, records int) error
}

// Finding is one card.
type Finding struct {
	_ struct{}

	N           int // from 1
	Rule, Party string
	Accuses     bool // the agent, and the evidence forces it
	Observed    string
	Records     []int
	Facts       []Fact
	Cause       string // an inference
	Correct     string
	Repeat      string
}

// Row is one row of the contract table and its result.
type Row struct {
	_ struct{}

	ID, Summary string
	Known       bool // Allow and Must are what the table says
	Allow, Must []string
	Outcome     string // good, bad, doubt, or "" when it was not met
	Words       string
	Tag         string
}

// Coverage is the map of what was exercised.
type Coverage struct {
	_ struct{}

	Groups []Group // columns by phase
	Lines  []Line
}

// Group is a phase, and its columns by fault family.
type Group struct {
	_ struct{}

	Phase    string
	Families []string
}

// Line is one row of the contract over all columns.
type Line struct {
	_ struct{}

	Row   string
	Cells []Cell
}

// Cell is one point of the map; N is 0 where nothing was exercised.
type Cell struct {
	_ struct{}

	N              int
	Outcome, Words string
	Tag            string
}

// SelfTest is the proof that the judge bites.
type SelfTest struct {
	_ struct{}

	Passed    bool
	Words     string
	Problems  []string
	Designs   []Fact
	Scenarios []string
	Kills     []Kill
}

// Kill is the line of one defect.
type Kill struct {
	_ struct{}

	Defect, Rule, Outcome string
	Cells                 []Fate
}

// Fate is what became of a defect in one scenario; "" when it did not run there.
type Fate struct {
	_ struct{}

	Class, Sign, Words string
}

// Assumed is one promise of a service.
type Assumed struct {
	_ struct{}

	Operation, Words string
	N                int // scenarios that rest on it
	All              []string
}

// Absent is something that was not judged, and why.
type Absent struct {
	_ struct{}

	Name, Words string
}
