package reports

import (
	"io"
	"time"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// Progress tells a person how far a run is: a live line on a terminal, plain
// lines elsewhere, nothing when quiet. Its methods may be called by many
// goroutines at once.
type Progress struct{}

// Step is one run of one scenario, as progress tells of it.
type Step struct {
	_ struct{}

	ID       string
	N, Of    int // repetition; Of above 1 is shown
	Outcome  judge.Outcome
	Duration time.Duration
	Findings []judge.Finding
	Reasons  []string
}

// NewProgress starts to tell w about total runs. quiet tells nothing.
func NewProgress(w io.Writer, look Look, total int, quiet bool) *Progress { return &Progress{} }

// Started tells that one more run is under way.
func (p *Progress) Started(id string) {}

// Finished tells that a run that was started has ended.
func (p *Progress) Finished(s Step) {}

// Log writes a line of the harness (a warning, say) without tearing the live line.
func (p *Progress) Log(line string) {}

// Close takes the live line away and waits until nothing is drawn any more.
func (p *Progress) Close() {}
