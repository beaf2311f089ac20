package reports

import (
	"io"
	"sync"
)

// LineSchema names the form of one line of a [Stream].
const LineSchema = "lostreceipt.scenario/v1"

// Stream writes one JSON line a scenario, for --format json. It is safe for
// concurrent use.
type Stream struct {
	mu sync.Mutex
	w  io.Writer
}

// NewStream writes to w.
func NewStream(w io.Writer) *Stream { return &Stream{w: w} }

// Scenario writes the result of one scenario with one write.
func (s *Stream) Scenario(result Scenario) error {
	result = settle(result)
	result.Verdict = shortened(result.Verdict)
	line, err := encode(struct {
		Schema string `json:"schema"`
		Scenario
	}{LineSchema, result}, "")
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err = s.w.Write(line)
	return err
}
