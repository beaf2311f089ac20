package gate

import (
	"time"

	"github.com/lostreceipt/lostreceipt/reports"
)

// Policy is what a report must prove. The zero value is the policy of a gate
// without a file: everything, of any agent but the reference.
type Policy struct {
	_ struct{}

	// File names the policy in messages. Default: "the default policy".
	File string

	// Agent is the name that the report must have. Default: any.
	Agent string
	// AllowReference lets a report on the built-in reference pass. Default: it is refused.
	AllowReference bool

	// Requirements must each be covered. Default: none.
	Requirements []string
	// Rows of the contract must each be met. Default: none.
	Rows []string
	// AllRequirements and AllRows stand for every one that is known.
	AllRequirements, AllRows bool
	// SelfTest demands a self-test in the same report. Default: none.
	SelfTest bool
	// Catalogue and Contract are the digests to be had. Default: those of this lostreceipt.
	Catalogue, Contract string

	// Build is that which the agent must have. Default: any.
	Build string
	// MaxAge is how long ago the run may have begun. Default: any time.
	MaxAge time.Duration

	// Undetermined and Vacuous are how many scenarios may end so. Default: 0.
	Undetermined, Vacuous int
	// NotApplicable are capabilities that the agent need not declare. Default: none.
	NotApplicable []string
	// Unjudged are families of rules that need not be judged. Default: none.
	Unjudged []string

	Waivers []Waiver
}

// Waiver excuses one rule in one scenario for a while.
type Waiver struct {
	_ struct{}

	Scenario string    `json:"scenario"`
	Rule     string    `json:"rule"`
	Owner    string    `json:"owner"`
	Reason   string    `json:"reason"`
	Expires  time.Time `json:"expires"` // the last day on which it holds, UTC
	Line     int       `json:"line"`    // where it stands, from 1
}

// expired tells whether the waiver's last day is over.
func (w Waiver) expired(now time.Time) bool { return !now.Before(w.Expires.AddDate(0, 0, 1)) }

// Known is what this lostreceipt holds, to hold a report against. What is empty
// is not known, and then the report's own word is taken for it.
type Known struct {
	_ struct{}

	// Scenarios are those of the catalogue, by id, with the digest of each.
	Scenarios map[string]string
	// Catalogue and Contract are their digests.
	Catalogue, Contract string

	Requirements, Rows, Rules, Families, Capabilities []string
	// Evidence is what came of holding the report against the histories beside it, see [reports.Report.CheckEvidence].
	// Nil: nothing is said of them.
	Evidence *reports.EvidenceCheck
	// Designs and Defects are what a whole self-test runs.
	Designs, Defects []string
}
