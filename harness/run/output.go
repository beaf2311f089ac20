package run

import (
	"bytes"
	"slices"
	"strings"

	"github.com/lostreceipt/lostreceipt/harness/judge"
	"github.com/lostreceipt/lostreceipt/reports/harmless"
)

// What is told of an agent's output; all that is kept stands in the evidence.
const (
	lastLines = 5
	lastBytes = 4 << 10
	lastWidth = 200 // characters of a line
)

// Speechless tells whether the agent ended before it ever asked for work: it
// says more about the command than about recovery.
func (r Result) Speechless() bool { return r.Reason == AgentEnded && !r.Asked }

// tail keeps the end of what is written to it.
type tail struct{ kept []byte }

func (t *tail) Write(b []byte) (int, error) {
	t.kept = append(t.kept, b[max(0, len(b)-lastBytes):]...)
	t.kept = slices.Delete(t.kept, 0, max(0, len(t.kept)-lastBytes))
	return len(b), nil
}

// lines are the last ones, harmless.
func (t *tail) lines() []string {
	var out []string
	for line := range bytes.Lines(t.kept) {
		if text := strings.TrimRight(string(line), "\r\n"); text != "" {
			out = append(out, harmless.Line(text, lastWidth))
		}
	}
	return out[max(0, len(out)-lastLines):]
}

// lastWords are the last lines of the agent's output, where a finding says that
// it ended or did not come to an end: they often hold the reason.
func (s *session) lastWords(v judge.Verdict) []string {
	if s.crew == nil || !slices.ContainsFunc(v.Findings, func(f judge.Finding) bool {
		return f.Rule == "agent-crashed" || f.Rule == "never-settled"
	}) {
		return nil
	}
	var t tail
	_ = s.crew.agent.WriteOutput(&t) // a tail takes everything
	return t.lines()
}

// asked tells whether any work was given.
func (t *traffic) asked() bool {
	select {
	case <-t.given:
		return true
	default:
		return false
	}
}
