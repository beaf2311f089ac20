package reports

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/lostreceipt/lostreceipt/harness/judge"
)

// Progress tells a person how far a run is: on a live terminal one line that is
// redrawn, and above it what did not pass; elsewhere a line for each run;
// nothing when quiet. Its methods may be called by many goroutines at once.
type Progress struct {
	look  Look
	start time.Time
	quiet bool

	// telling keeps lines whole and in order. It is never held by what draws the live line.
	telling sync.Mutex
	w       io.Writer
	live    *mpb.Progress // nil elsewhere
	bar     *mpb.Bar
	closed  bool

	mu     sync.Mutex
	counts tallies
}

// tallies are what the live line shows.
type tallies struct {
	total, running, done, passed, violated int
}

// Step is one run of one scenario, as progress tells of it.
type Step struct {
	_ struct{}

	ID       string
	N, Of    int // repetition; shown when Of is above 1
	Outcome  judge.Outcome
	Duration time.Duration
	Findings []judge.Finding
	Reasons  []string
	CutOff   bool // the whole run was interrupted before this ended: it counts as not run
}

// StepOf is what progress tells of one repetition of a scenario.
func StepOf(id string, rep Repetition, of int) Step {
	return Step{
		ID: id, N: rep.N, Of: of, Outcome: rep.Outcome, Duration: rep.Duration,
		Findings: rep.Verdict.Findings, Reasons: rep.Verdict.Reasons,
	}
}

const (
	redraw = 200 * time.Millisecond
	// maxLines bounds the lines that passing runs take where each is told by a line of its own.
	maxLines = 200
)

// NewProgress starts to tell w about total runs: scenarios times repetitions.
// The caller must close it.
func NewProgress(w io.Writer, look Look, total int, quiet bool) *Progress {
	p := &Progress{look: look, start: time.Now(), quiet: quiet, w: w, counts: tallies{total: total}}
	if quiet || !look.Live || total <= 0 {
		return p
	}
	p.live = mpb.New(mpb.WithOutput(w), mpb.WithWidth(look.width()), mpb.WithRefreshRate(redraw), mpb.WithAutoRefresh(), mpb.ForceTTY())
	p.bar, _ = p.live.Add(int64(total), mpb.BarFillerFunc(p.draw), mpb.BarFillerTrim()) // fails only after Wait
	return p
}

// Started tells that one more run is under way, of the scenario with this id.
func (p *Progress) Started(string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts.running++
}

// Finished tells that a run that was started has ended.
func (p *Progress) Finished(s Step) {
	p.telling.Lock()
	defer p.telling.Unlock()
	p.mu.Lock()
	c := &p.counts
	c.running = max(0, c.running-1)
	switch {
	case s.CutOff:
	case s.Outcome == judge.Pass:
		c.passed++
	case s.Outcome == judge.Violation:
		c.violated++
	}
	if !s.CutOff {
		c.done++
	}
	now := *c
	p.mu.Unlock()

	if s.Outcome == judge.Pass && !s.CutOff && (p.live != nil || now.done%max(1, now.total/maxLines) != 0) {
		return
	}
	p.tell(p.line(s, now))
}

// Log tells one harmless line of the harness, a warning say, without tearing
// the live line.
func (p *Progress) Log(line string) {
	p.telling.Lock()
	defer p.telling.Unlock()
	p.tell(plain(line, maxSentence))
}

// tell writes a line; the caller holds p.telling. Progress is a courtesy: where
// it cannot be written the run goes on.
func (p *Progress) tell(line string) {
	switch {
	case p.quiet || p.closed:
	case p.live != nil:
		_, _ = io.WriteString(p.live, ansi.Truncate(line, p.look.width()-1, "…")+"\n")
	default:
		_, _ = io.WriteString(p.w, line+"\n")
	}
}

// Close takes the live line away and waits until nothing is drawn any more.
func (p *Progress) Close() {
	p.telling.Lock()
	defer p.telling.Unlock()
	if p.closed {
		return
	}
	p.closed = true
	if p.live != nil {
		p.bar.Abort(true)
		p.live.Wait()
	}
}

// line tells of one run: "[ 3/24] ✗ violation lost-receipt 1.2s: identifier-changed".
func (p *Progress) line(s Step, now tallies) string {
	mark, color := sign(s.Outcome)
	word := string(s.Outcome)
	if s.CutOff {
		mark, color, word = "-", dim, "not run"
		s.Findings, s.Reasons = nil, []string{"it was cut off by the interruption"}
	}
	digits := len(fmt.Sprint(now.total))
	var out strings.Builder
	fmt.Fprintf(&out, "[%*d/%d] %s %s", digits, now.done, now.total,
		p.look.paint(color, mark+" "+plain(word, 20)), plain(s.ID, maxName))
	if s.Of > 1 {
		fmt.Fprintf(&out, " (%d of %d)", s.N, s.Of)
	}
	out.WriteString(" " + span(s.Duration))
	switch {
	case s.Outcome == judge.Pass:
	case len(s.Findings) > 0:
		rules := make([]string, 0, 3)
		for _, f := range bounded(s.Findings, 3) {
			rules = append(rules, heading(f))
		}
		out.WriteString(": " + strings.Join(rules, ", "))
		if n := len(s.Findings) - 3; n > 0 {
			fmt.Fprintf(&out, " and %d more", n)
		}
	case len(s.Reasons) > 0:
		out.WriteString(": " + plain(s.Reasons[0], 200))
	}
	return out.String()
}

// draw fills the live line. It runs on a goroutine of the bar.
func (p *Progress) draw(w io.Writer, space decor.Statistics) error {
	p.mu.Lock()
	c := p.counts
	p.mu.Unlock()
	look := p.look
	look.Width = space.AvailableWidth // of the terminal as it is now
	_, err := io.WriteString(w, ansi.Truncate(look.now(c, time.Since(p.start)), max(1, space.AvailableWidth-1), ""))
	return err
}

// now is the live line: a bar where there is room for it, and what a person
// waits for.
func (l Look) now(c tallies, since time.Duration) string {
	const cells = 20
	full := 0
	if c.total > 0 {
		full = min(cells, c.done*cells/c.total)
	}
	var parts []string
	if l.Width >= minWidth+cells {
		parts = append(parts, l.paint(good, strings.Repeat("█", full))+l.paint(dim, strings.Repeat("░", cells-full)))
	}
	parts = append(parts, fmt.Sprintf("%d running", c.running), fmt.Sprintf("%d passed", c.passed))
	violated := fmt.Sprintf("%d violated", c.violated)
	if c.violated > 0 {
		violated = l.paint(bad, violated)
	}
	parts = append(parts, violated)
	if other := c.done - c.passed - c.violated; other > 0 {
		parts = append(parts, l.paint(doubt, fmt.Sprintf("%d without a pass", other)))
	}
	parts = append(parts, fmt.Sprintf("%d left", max(0, c.total-c.done-c.running)), since.Truncate(100*time.Millisecond).String())
	return strings.Join(parts, "  ")
}
